"""How the HTML page looks: on a screen by day and by night, on a phone, on paper."""

STYLE = """
:root {
  color-scheme: light dark;
  --paper: #fff; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --band: #f6f8fa; --mark: #0a558c;
  --shade: rgb(27 31 36 / .18);
  --c0: #0a6ebd; --c1: #b45309; --c2: #0f7b5f; --c3: #a3358f; --c4: #6a5acd; --c5: #6b6f00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14181d; --ink: #e6edf3; --soft: #9da7b3; --line: #3b434d; --band: #1c2229; --mark: #79b8ff;
    --shade: rgb(230 237 243 / .25);
    --c0: #58a6ff; --c1: #f0a35b; --c2: #3fc39e; --c3: #e58ad4; --c4: #b3a6ff; --c5: #cfd34a;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 1.5rem 1.25rem 4rem; max-width: 72rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  overflow-wrap: anywhere;
}
h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: 2.5rem 0 .75rem; }
h1 { font-size: 1.7rem; margin-top: .5rem; }
h2 { font-size: 1.3rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.1rem; }
h4, h5, h6 { font-size: 1rem; }
p { margin: .75rem 0; max-width: 46rem; }
a { color: var(--mark); }
nav ul { margin: .75rem 0; padding-left: 1.25rem; }
ul.notes {
  margin: 1rem 0; padding: .6rem 1rem .6rem 2rem; max-width: 50rem; border-left: 3px solid var(--line);
  background: var(--band); color: var(--soft); font-size: .9rem;
}
ul.notes li { margin: .25rem 0; }
figure { margin: 1.75rem 0; }
figcaption { font-weight: 600; margin-bottom: .5rem; max-width: 46rem; }
figcaption .unit { font-weight: 400; color: var(--soft); }
/* A table that is too wide scrolls in its own box, the first column kept in sight; a shadow says that there is more. */
.scroll {
  overflow-x: auto; max-width: 100%;
  background:
    linear-gradient(to left, var(--paper) 1.5rem, transparent) right / 3rem 100% no-repeat local,
    linear-gradient(to left, var(--shade), transparent) right / 1rem 100% no-repeat scroll;
}
.scroll:focus-visible, a:focus-visible, summary:focus-visible { outline: 2px solid var(--mark); outline-offset: 2px; }
table { border-collapse: separate; border-spacing: 0; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .35rem .55rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { padding-left: .25rem; }
td { min-width: 3rem; white-space: nowrap; }
td.n { white-space: normal; overflow-wrap: normal; }  /* an interval goes below its number before the box scrolls */
td.w, th.w { min-width: 14rem; max-width: 28rem; white-space: normal; }
thead th { border-bottom: 2px solid var(--soft); vertical-align: bottom; overflow-wrap: normal; }
tbody th { font-weight: 500; white-space: nowrap; }
th:first-child, td:first-child { position: sticky; left: 0; z-index: 1; background: var(--paper); }
.n { text-align: right; }
.i { color: var(--soft); white-space: nowrap; }
img { max-width: 100%; height: auto; display: block; border: 1px solid var(--line); }
img + figcaption { margin: .5rem 0 0; }
details { margin-top: .5rem; font-size: .9rem; }
summary { cursor: pointer; color: var(--soft); }

/* Plots: places are shares of the width, so words keep their size however narrow the page is. */
svg { display: block; width: 100%; overflow: visible; }
svg text { font-size: .75rem; fill: var(--soft); }
.grid { stroke: var(--line); stroke-width: 1; }
.base { stroke: var(--soft); stroke-width: 1; }
.rows {
  display: grid; grid-template-columns: fit-content(16rem) minmax(9rem, 1fr) max-content; grid-auto-flow: row dense;
  column-gap: .9rem; align-items: center; font-size: .9rem;
}
.rows > .name { grid-column: 1; unicode-bidi: isolate; line-height: 1.3; display: flex; align-items: center; }
.rows > .number { grid-column: 3; text-align: right; font-variant-numeric: tabular-nums; }
.rows > .bar { grid-column: 2; height: 1.6rem; }
.rows > .axis { grid-column: 2; height: 1.4rem; }
.rows > .place { grid-column: 1 / -1; font-weight: 600; padding-top: .5rem; unicode-bidi: isolate; }
.bar svg { height: 1.6rem; }
.axis svg { height: 1.4rem; }
.rows, .xy { max-width: 62rem; }
.xy { padding: .75rem 1rem 1.6rem 3.75rem; }
.xy svg { height: 16rem; }
.xlabel { text-align: center; font-size: .8rem; color: var(--soft); }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: .5rem 0 0; padding: 0; }
.legend li { display: flex; align-items: center; font-size: .9rem; }
.key { flex: none; display: inline-block; width: 1.9rem; height: .9rem; margin-right: .5rem; vertical-align: -.1rem; }
.key svg { height: .9rem; }
.rect { opacity: .45; }
.dot { stroke: var(--paper); stroke-width: 1; }
.span, .path { stroke-width: 2; fill: none; }
.s0 { fill: var(--c0); stroke: var(--c0); } .s1 { fill: var(--c1); stroke: var(--c1); }
.s2 { fill: var(--c2); stroke: var(--c2); } .s3 { fill: var(--c3); stroke: var(--c3); }
.s4 { fill: var(--c4); stroke: var(--c4); } .s5 { fill: var(--c5); stroke: var(--c5); }
.rect { stroke: none; }
.d1 { stroke-dasharray: 7 4; } .d2 { stroke-dasharray: 2 4; } .d3 { stroke-dasharray: 10 3 2 3; }

@media (max-width: 40rem) {
  body { padding: 1rem 1rem 3rem; }
  h1 { font-size: 1.4rem; }
  h2 { font-size: 1.2rem; }
  th, td { padding: .3rem .5rem; }
  th:first-child, td:first-child { min-width: 0; max-width: 42vw; white-space: normal; overflow-wrap: break-word; }
  .rows { grid-template-columns: minmax(0, 1fr) max-content; }
  .rows > .number { grid-column: 2; }
  .rows > .bar, .rows > .axis { grid-column: 1 / -1; }
  .rows > .bar { height: 1.3rem; margin-bottom: .35rem; }
  .bar svg { height: 1.3rem; }
  .xy { padding-left: 2.75rem; padding-right: .5rem; }
  .xy svg { height: 13rem; }
}
@media print {
  :root {
    color-scheme: light;
    --paper: #fff; --ink: #000; --soft: #444; --line: #bbb; --band: #fff; --mark: #000;
    --c0: #0a6ebd; --c1: #b45309; --c2: #0f7b5f; --c3: #a3358f; --c4: #6a5acd; --c5: #6b6f00;
  }
  @page { margin: 1.6cm; }
  @page wide { size: landscape; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  body { max-width: none; padding: 0; font-size: 9pt; line-height: 1.4; }
  h1 { font-size: 15pt; } h2 { font-size: 12pt; } h3 { font-size: 10.5pt; }
  figure { margin: 12pt 0; }
  ul.notes { font-size: 8pt; max-width: none; }
  .rows, .legend li, .xlabel { font-size: 8pt; }
  .rows { column-gap: 10pt; }
  .xlabel { margin-top: -8pt; }
  .rows, .xy { max-width: none; }
  .rows > .bar, .bar svg { height: 13pt; }
  svg text { font-size: 7pt; }
  .xy svg { height: 150pt; }
  figcaption, p { max-width: none; }
  .scroll { overflow: visible; background: none; }
  table { font-size: 7.5pt; }
  th, td { padding: 2pt 4pt; }
  th:first-child, td:first-child { position: static; }
  td { min-width: 0; white-space: normal; overflow-wrap: normal; }
  td.w, th.w { min-width: 60pt; white-space: normal; overflow-wrap: anywhere; }
  .wide { page: wide; }
  .wide table { width: 100%; }
  .wide th, .wide td { padding: 2pt 3pt; white-space: normal; }
  .wide .i { white-space: normal; }
  h1, h2, h3, h4, figcaption { break-after: avoid; }
  tr, figcaption, .whole, ul.notes li { break-inside: avoid; }
  thead { display: table-header-group; }
  a { text-decoration: none; }
  nav, details { display: none; }
}
"""
