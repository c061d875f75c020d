/** Style of the page: readable in light and dark, as the reader's system says. */
export const pageStyle: string = `
:root { color-scheme: light dark; --text: #1f2328; --faint: #59636e; --line: #d1d9e0; --ground: #ffffff; --panel: #f6f8fa;
  --user: #0969da; --operator: #1a7f37; --fault: #cf222e; --event: #8250df; }
@media (prefers-color-scheme: dark) {
  :root { --text: #f0f6fc; --faint: #9198a1; --line: #3d444d; --ground: #0d1117; --panel: #151b23;
    --user: #4493f8; --operator: #3fb950; --fault: #f85149; --event: #ab7df8; } }
body { margin: 0; background: var(--ground); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 64rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; } h3 { font-size: 1rem; }
.finding { border-top: 1px solid var(--line); margin-top: 1.5rem; }
table { border-collapse: collapse; width: 100%; font: 13px/1.5 ui-monospace, monospace; }
th, td { text-align: left; vertical-align: top; padding: 0.15rem 0.6rem; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th { color: var(--faint); font-weight: normal; }
tr.fault td { color: var(--fault); } tr.step td { color: var(--user); } tr.event td, tr.process td { color: var(--faint); }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: 0.75rem; overflow-x: auto; }
.more { color: var(--operator); } .less { color: var(--fault); }
svg { max-width: 100%; height: auto; } svg text { fill: var(--text); font: 12px ui-monospace, monospace; }
svg .lane { stroke: var(--line); } svg .name { fill: var(--faint); }
svg .step { fill: var(--user); } svg .call, svg .process, svg .recovery { fill: var(--operator); } svg .event { fill: var(--event); }
svg .fault, svg .note { fill: var(--fault); }
`;
