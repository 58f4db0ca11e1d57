extension HTMLPage {
  static let style = """
    :root {
      color-scheme: light dark;
      --back: #ffffff; --text: #1c1d20; --faint: #5f6570; --grid: #e3e5e9; --mark: #8a909b;
      --good: #13733b; --bad: #b3261e; --faster: #1a7f44; --slower: #c05a00; --range: #b9c3d3;
      --p50: #2456a6; --p99: #5b8bd6; --p999: #a3c0ea; --max: #d6e2f5;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --back: #16181c; --text: #e8eaee; --faint: #9aa1ad; --grid: #2b2f36; --mark: #767d89;
        --good: #5fd38d; --bad: #ff8a80; --faster: #5fd38d; --slower: #ffb066; --range: #465063;
        --p50: #9cc2ff; --p99: #5f93dd; --p999: #3b639c; --max: #2a4266;
      }
    }
    * { box-sizing: border-box; }
    body {
      background: var(--back); color: var(--text); margin: 0 auto; max-width: 75rem; padding: 1rem;
      font: 1rem/1.45 system-ui, sans-serif;
    }
    h1 { font-size: 1.6rem; margin: 0.5rem 0 0; }
    h2 { font-size: 1.25rem; margin: 2.5rem 0 0; }
    h3 { font-size: 1rem; margin: 1rem 0 0.25rem; }
    p { margin: 0.25rem 0; max-width: 44rem; }
    small { color: var(--faint); font-size: 0.85em; }
    .good { color: var(--good); font-weight: 600; }
    .bad { color: var(--bad); font-weight: 600; }
    .row { display: grid; grid-template-columns: 19rem 1fr 13rem; gap: 0 0.75rem; align-items: center; }
    .row svg { width: 100%; height: 1.25rem; display: block; }
    .value { font-variant-numeric: tabular-nums; white-space: nowrap; }
    .axis { color: var(--faint); font-size: 0.8rem; height: 1.3rem; }
    .ticks { position: relative; height: 1.3rem; }
    .ticks span { position: absolute; white-space: nowrap; }
    .grid { fill: var(--grid); } .mark { fill: var(--mark); }
    .range { fill: var(--range); } .faster { fill: var(--faster); } .slower { fill: var(--slower); }
    .p50 { fill: var(--p50); } .p99 { fill: var(--p99); } .p999 { fill: var(--p999); } .max { fill: var(--max); }
    .key { display: inline-block; width: 0.8em; height: 0.8em; border-radius: 2px; }
    .key.p50 { background: var(--p50); } .key.p99 { background: var(--p99); }
    .key.p999 { background: var(--p999); } .key.max { background: var(--max); }
    .scroll { overflow-x: auto; }
    table { border-collapse: collapse; font-size: 0.85rem; font-variant-numeric: tabular-nums; margin-top: 0.5rem; }
    th, td { padding: 0.2rem 0.6rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--grid); }
    th[scope="row"] { text-align: left; font-weight: normal; }
    @media (max-width: 52rem) {
      .row { grid-template-columns: 1fr auto; gap: 0 0.5rem; margin-bottom: 0.5rem; }
      .row svg, .ticks { grid-column: 1 / -1; grid-row: 2; }
      .axis { margin: 0; }
      .axis > div:not(.ticks) { display: none; }
    }
    """
}
