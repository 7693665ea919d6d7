/** Of the reference page: two columns where there is room, one where there is not; light and dark. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #5c6670; --line: #e2e6ea; --paper: #fff; --shade: #f6f8fa; --link: #0b5cad;
  --get: #1a7f4b; --post: #0b5cad; --patch: #9a6200; --delete: #b42318; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --soft: #9aa4ae; --line: #2c333a; --paper: #14181c; --shade: #1c2126;
  --link: #6cb2ff; --get: #4fc98a; --post: #6cb2ff; --patch: #e0a94a; --delete: #ff8a80; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; color: var(--ink); background: var(--paper); font: 15px/1.55 system-ui, sans-serif; display: grid;
  grid-template-columns: 17rem minmax(0, 1fr); }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
a:focus-visible, button:focus-visible, input:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code, pre { font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1.25rem 1rem 2rem; border-right: 1px solid var(--line);
  background: var(--shade); font-size: 14px; }
nav .home { font-weight: 700; font-size: 1.15rem; color: var(--ink); }
nav input { width: 100%; margin: .75rem 0; padding: .4rem .6rem; font: inherit; color: inherit; background: var(--paper);
  border: 1px solid var(--line); border-radius: 6px; }
nav h2 { margin: 1rem 0 .25rem; font-size: .75rem; letter-spacing: .06em; text-transform: uppercase; color: var(--soft); }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: flex; gap: .5rem; align-items: baseline; padding: .15rem 0; color: var(--ink); }
main { min-width: 0; padding: 2rem 2.5rem 6rem; max-width: 84rem; }
h1 { margin: 0; font-size: 1.9rem; }
.lead { margin: .2rem 0 1rem; font-size: 1.15rem; color: var(--soft); }
header p { max-width: 46rem; }
.group { margin-top: 3rem; }
.group > h2 { margin: 0; padding-bottom: .3rem; border-bottom: 2px solid var(--line); text-transform: capitalize; }
article { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 28rem); gap: 0 2.5rem; padding: 1.75rem 0;
  border-bottom: 1px solid var(--line); }
article[id^="schema-"], article.basic { display: block; }
article[hidden], li[hidden] { display: none; }
article:target h3, tr:target code { background: color-mix(in srgb, var(--link) 18%, transparent); }
h3 { margin: 0 0 .3rem; font-size: 1.15rem; }
h4 { margin: 1.25rem 0 .25rem; font-size: .85rem; color: var(--soft); }
.route { margin: 0 0 .5rem; display: flex; gap: .6rem; align-items: baseline; }
.route code, p code, td code, h3 { min-width: 0; overflow-wrap: anywhere; }
.method { flex: none; min-width: 3.1em; font: 700 11px/1.4 ui-monospace, Menlo, Consolas, monospace; }
.get { color: var(--get); } .post { color: var(--post); } .patch { color: var(--patch); } .delete { color: var(--delete); }
.status { color: var(--get); } .name { font-weight: 600; }
table { width: 100%; border-collapse: collapse; font-size: 14px; }
th { text-align: left; color: var(--soft); font-size: .8rem; }
td, th { padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
td:first-child { width: 38%; }
td b { display: inline-block; margin-left: .5rem; white-space: nowrap; font-size: 11px; font-weight: 600; color: var(--patch); }
td i { font-style: normal; color: var(--soft); }
figure { margin: 0 0 1rem; border: 1px solid var(--line); border-radius: 8px; overflow: hidden; background: var(--shade); }
figcaption { display: flex; justify-content: space-between; padding: .35rem .75rem; font-size: 12px; color: var(--soft);
  border-bottom: 1px solid var(--line); }
figure button { font: inherit; color: var(--link); background: none; border: 0; padding: 0; cursor: pointer; }
pre { margin: 0; padding: .75rem; overflow: auto; max-height: 26rem; }
@media (max-width: 70rem) { article { grid-template-columns: minmax(0, 1fr); } .shown { margin-top: 1rem; } }
@media (max-width: 48rem) { body { grid-template-columns: minmax(0, 1fr); } main { padding: 1.25rem; }
  nav { position: static; height: auto; max-height: 40vh; border-right: 0; border-bottom: 1px solid var(--line); } }
`;
