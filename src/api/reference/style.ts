/** Of the reference page: two columns where there is room, one where there is not; light and dark, as the dashboard or else the system has it. */
export const STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#1b1f24, #e6e9ec); --soft: light-dark(#56606a, #9aa4ae);
  --line: light-dark(#e2e6ea, #2c333a); --edge: light-dark(#77828d, #77828d); --paper: light-dark(#fff, #14181c);
  --shade: light-dark(#f6f8fa, #1c2126); --link: light-dark(#0b5cad, #6cb2ff); --get: light-dark(#17703f, #4fc98a);
  --post: light-dark(#0b5cad, #6cb2ff); --patch: light-dark(#875500, #e0a94a); --delete: light-dark(#b42318, #ff8a80); }
:root[data-theme="light"] { color-scheme: light; } :root[data-theme="dark"] { color-scheme: dark; }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; color: var(--ink); background: var(--paper); font: 15px/1.55 system-ui, sans-serif; display: grid;
  grid-template-columns: 17rem minmax(0, 1fr); }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
p a, td a, h4 a { text-decoration: underline; }
a:focus-visible, button:focus-visible, input:focus-visible, select:focus-visible, textarea:focus-visible, pre:focus-visible {
  outline: 2px solid var(--link); outline-offset: 2px; }
code, pre, textarea { font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1.25rem 1rem 2rem; border-right: 1px solid var(--line);
  background: var(--shade); font-size: 14px; }
nav .home { font-weight: 700; font-size: 1.15rem; color: var(--ink); }
nav .app { float: right; }
input, select, textarea { width: 100%; padding: .4rem .6rem; font: inherit; color: inherit; background: var(--paper);
  border: 1px solid var(--edge); border-radius: 6px; }
input[type="checkbox"] { width: auto; margin-right: .5rem; }
nav label { display: block; margin: .75rem 0 0; font-size: 13px; color: var(--soft); }
nav p { margin: .5rem 0; color: var(--soft); font-size: 13px; }
nav h2 { margin: 1rem 0 .25rem; font-size: .75rem; letter-spacing: .06em; text-transform: uppercase; color: var(--soft); }
nav ul, nav ol { list-style: none; margin: 0; padding: 0; }
nav li a { display: flex; gap: .5rem; align-items: baseline; padding: .15rem 0; color: var(--ink); overflow-wrap: anywhere; }
main { min-width: 0; padding: 2rem 2.5rem 6rem; max-width: 84rem; }
h1 { margin: 0; font-size: 1.9rem; }
.lead { margin: .2rem 0 1rem; font-size: 1.15rem; color: var(--soft); }
header p { max-width: 46rem; }
.group { margin-top: 3rem; }
.group > h2 { margin: 0; padding-bottom: .3rem; border-bottom: 2px solid var(--line); text-transform: capitalize; }
article { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 28rem); gap: 0 2.5rem; padding: 1.75rem 0;
  border-bottom: 1px solid var(--line); }
article.schema, article.basic { display: block; }
[hidden] { display: none !important; }
article:target h3, article:has(:target) h3, tr:target code { background: color-mix(in srgb, var(--link) 18%, transparent); }
h3 { margin: 0 0 .3rem; font-size: 1.15rem; }
h3 .here { margin-left: .4rem; color: var(--soft); font-weight: 400; opacity: 0; }
h3:hover .here, .here:focus-visible, article:target .here { opacity: 1; }
h4 { margin: 1.25rem 0 .25rem; font-size: .85rem; color: var(--soft); }
.route { margin: 0 0 .5rem; display: flex; gap: .6rem; align-items: baseline; }
.route code, p code, td code, h3 { min-width: 0; overflow-wrap: anywhere; }
.method { flex: none; min-width: 3.1em; font: 700 11px/1.4 ui-monospace, Menlo, Consolas, monospace; }
.get { color: var(--get); } .post { color: var(--post); } .patch { color: var(--patch); } .delete { color: var(--delete); }
.status { color: var(--get); } .name { font-weight: 600; }
table { width: 100%; border-collapse: collapse; font-size: 14px; }
td { padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
td:first-child { width: 38%; }
td b { display: inline-block; margin-left: .5rem; white-space: nowrap; font-size: 11px; font-weight: 600; color: var(--patch); }
td i { font-style: normal; color: var(--soft); }
.codes { font-size: 13px; line-height: 1.9; overflow-wrap: anywhere; }
figure { margin: 0 0 1rem; border: 1px solid var(--line); border-radius: 8px; overflow: hidden; background: var(--shade); }
figcaption { display: flex; flex-wrap: wrap; gap: .2rem .9rem; align-items: center; padding: .35rem .75rem; font-size: 12px; color: var(--soft);
  border-bottom: 1px solid var(--line); }
figcaption span:first-child { margin-right: auto; }
figure button, .plain { font: inherit; color: var(--link); background: none; border: 0; padding: .15rem 0; min-height: 24px; cursor: pointer; }
figure button[aria-pressed="true"] { color: var(--ink); font-weight: 600; text-decoration: underline; text-underline-offset: 4px; }
pre { margin: 0; padding: .75rem; overflow: auto; max-height: 26rem; white-space: pre-wrap; overflow-wrap: anywhere; }
body[data-samples="curl"] figure[data-sample]:not([data-sample="curl"]),
body[data-samples="client"] figure[data-sample]:not([data-sample="client"]),
body[data-samples="library"] figure[data-sample]:not([data-sample="library"]) { display: none; }
.only-script { display: none; }
body[data-samples] .only-script { display: inline-block; }
form { margin: 0 0 1rem; padding: .9rem; border: 1px solid var(--line); border-radius: 8px; }
form label, form .who { display: block; margin: 0 0 .6rem; font-size: 13px; color: var(--soft); }
form textarea { min-height: 9rem; resize: vertical; }
form .send { font: inherit; font-weight: 600; color: light-dark(#fff, #0b1116); background: var(--link); border: 0; border-radius: 6px; padding: .45rem 1rem; cursor: pointer; }
form .plain { margin-left: .75rem; }
.answered { margin: .8rem 0 .4rem; font-size: 13px; }
.answered.bad { color: var(--delete); }
form pre { background: var(--shade); border-radius: 6px; }
@media (max-width: 70rem) { article { grid-template-columns: minmax(0, 1fr); } .shown { margin-top: 1rem; } }
@media (max-width: 48rem) { body { grid-template-columns: minmax(0, 1fr); } main { padding: 1.25rem; }
  nav { position: static; height: auto; max-height: 40vh; border-right: 0; border-bottom: 1px solid var(--line); } h3 .here { opacity: 1; } }
`;
