/**
 * Runs in the reader's browser: puts the address of the page into the samples, searches, copies, and tries operations. A key that is pasted here
 * is a variable of this page and is stored nowhere.
 */
export const SCRIPT = `
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const byId = (id) => document.getElementById(id);

// Light or dark, as chosen in the dashboard.
try {
  const theme = localStorage.getItem('usance.theme');
  if (theme) document.documentElement.dataset.theme = theme;
} catch { /* Without storage: as the system has it. */ }

// Samples with the address that this page came from, in one language at a time.
for (const sample of all('pre')) sample.textContent = sample.textContent.replaceAll('http://localhost:3001', location.origin);
function show(language) {
  document.body.dataset.samples = language;
  for (const button of all('button[data-language]')) button.setAttribute('aria-pressed', String(button.dataset.language === language));
}
show('curl');

// Search: every word, in titles (of operations, events, codes, schemas and headers), then in the names of fields and codes, then in all sentences.
// Of the titles, the one that is the query comes first, then those that begin with it, contain it, or have all of its words.
const filter = byId('filter');
const SHOWN_RESULTS = 60;
const plain = (text) => text.toLowerCase().replace(/[_\\s]+/g, ' ').trim();
const wordsOf = (text) => {
  const words = plain(text).split(' ').filter(Boolean);
  const kept = words.filter((word) => !['a', 'an', 'the'].includes(word));
  return kept.length > 0 ? kept : words;
};
let parts = null;
const readParts = () => all('[data-title]').map((element) => {
  const titles = element.dataset.title.split('|').map((title) => wordsOf(title).join(' '));
  const names = titles.join(' ') + ' ' + plain(element.dataset.find);
  return { element, titles, names, sentences: names + ' ' + plain((element.querySelector('.said') ?? element).textContent) };
});
function rankOf({ titles, names, sentences }, words) {
  const phrase = words.join(' ');
  const has = (text) => words.every((word) => text.includes(word));
  if (titles.includes(phrase)) return 0;
  if (titles.some((title) => title.startsWith(phrase))) return 1;
  if (titles.some((title) => title.includes(phrase))) return 2;
  if (has(titles.join(' '))) return 3;
  if (has(names)) return 4;
  if (sentences.includes(phrase)) return 5;
  return has(sentences) ? 6 : null;
}
function resultOf({ element }) {
  const method = element.querySelector('.method');
  const [title] = element.dataset.title.split('|');
  return make('li', {}, make('a', { href: '#' + element.id }, ...(method ? [method.cloneNode(true)] : []), make('span', { textContent: title })));
}
function search() {
  const words = wordsOf(filter.value);
  const isSearch = words.length > 0;
  parts ??= readParts();
  const found = [];
  for (const part of parts) {
    const rank = isSearch ? rankOf(part, words) : null;
    part.element.hidden = isSearch && rank === null;
    if (rank !== null) found.push([rank, part]);
  }
  found.sort(([one], [other]) => one - other);
  byId('results').hidden = !isSearch;
  byId('results').replaceChildren(...found.slice(0, SHOWN_RESULTS).map(([, part]) => resultOf(part)));
  for (const group of all('nav section')) group.hidden = isSearch;
  for (const group of all('main .group')) group.hidden = isSearch && !group.querySelector('[data-title]:not([hidden])');
  const count = found.length === 0 ? 'Nothing matches.' : found.length + (found.length === 1 ? ' match' : ' matches') + '; Enter opens the first.';
  byId('found').textContent = !isSearch ? '' : found.length > SHOWN_RESULTS ? count + ' The first ' + SHOWN_RESULTS + ' are listed.' : count;
}
filter.addEventListener('input', search);
filter.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') { filter.value = ''; search(); }
  if (event.key === 'Enter') document.querySelector('#results a')?.click();
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.matches('input, textarea, select')) return;
  event.preventDefault();
  filter.focus();
});
// A link to what the search has hidden ends the search.
function arrive() {
  const target = byId(decodeURIComponent(location.hash.slice(1)));
  if (!target || (!target.hidden && !target.closest('[hidden]'))) return;
  filter.value = '';
  search();
  target.scrollIntoView();
}
addEventListener('hashchange', arrive);

async function copy(button) {
  await navigator.clipboard.writeText(button.closest('figure').querySelector('pre').textContent);
  button.textContent = 'Copied';
  setTimeout(() => { button.textContent = 'Copy'; }, 1500);
}
document.addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (!button) return;
  if (button.dataset.language) show(button.dataset.language);
  else if (button.dataset.try) open(button);
  else if (button.dataset.copy !== undefined) copy(button);
});

// Trying an operation: with the session of the dashboard, or with a key that is pasted.
let contract = null;
let session = null;
let key = '';
const read = async (url, headers = {}) => { const answer = await window.fetch(url, { headers }); return answer.ok ? answer.json() : null; };
// Each tenant of a session has its own CSRF token.
const readSession = (tenant) => read('/session', tenant ? { 'usance-tenant': tenant } : {});
const make = (tag, fields = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), fields);
  element.append(...children);
  return element;
};
const field = (label, input) => make('label', {}, label, input);

async function open(button) {
  const known = button.closest('.shown').querySelector('form');
  if (known) { known.hidden = !known.hidden; return; }
  button.disabled = true;
  contract ??= await read('/openapi.json');
  session ??= await readSession();
  button.disabled = false;
  const [path, method, operation] = find(button.dataset.try);
  const form = trial(path, method, operation);
  button.closest('figure').before(form);
  form.querySelector('input, textarea, select')?.focus();
}

function find(id) {
  for (const [path, methods] of Object.entries(contract.paths))
    for (const [method, operation] of Object.entries(methods)) if (operation.operationId === id) return [path, method, operation];
}

function trial(path, method, operation) {
  const isChange = method !== 'get';
  const inputs = operation.parameters
    .filter((one) => one.in === 'path' || (one.in === 'query' && one.name !== 'dry_run'))
    .map((one) => ({ one, input: make('input', { value: one.in === 'path' ? one.example ?? '' : '', required: one.required === true, autocomplete: 'off' }) }));
  const body = operation.requestBody?.content?.['application/json'];
  const text = body && make('textarea', { value: JSON.stringify(body.example ?? {}, null, 2), spellcheck: false });
  const takesDryRun = isChange && Object.values(operation.responses).some((one) => one.content?.['application/vnd.usance.dry-run+json']);
  const dry = takesDryRun && make('input', { type: 'checkbox', checked: true });
  const idempotency = operation.parameters.some((one) => one.name === 'Idempotency-Key') && make('input', { value: crypto.randomUUID(), autocomplete: 'off' });
  const tenant = session && make('select', {}, ...session.tenants.map((one) => make('option', { value: one.id, textContent: one.name })));
  try { if (tenant && sessionStorage.getItem('usance.tenant')) tenant.value = sessionStorage.getItem('usance.tenant'); } catch { /* The first. */ }
  const pasted = make('input', { type: 'password', value: key, autocomplete: 'off', placeholder: session ? 'the session of the dashboard' : 'usk_…' });
  pasted.addEventListener('input', () => { key = pasted.value.trim(); });
  const status = make('p', { className: 'answered' });
  status.setAttribute('role', 'status');
  const answer = make('pre', { hidden: true, tabIndex: 0 });
  answer.setAttribute('aria-label', 'Answer');
  const form = make('form', {},
    ...inputs.map(({ one, input }) => field(one.name + (one.in === 'query' ? ' (query)' : ''), input)),
    ...(text ? [field('Body', text)] : []),
    ...(idempotency ? [field('Idempotency-Key', idempotency)] : []),
    ...(tenant ? [field('Tenant', tenant)] : []),
    field('API key: kept by this page only while it is open', pasted),
    ...(dry ? [make('label', {}, dry, 'Dry run: shows the answer and changes nothing')] : []),
    make('button', { type: 'submit', className: 'send', textContent: 'Send' }), status, answer);
  form.setAttribute('aria-label', 'Try ' + operation.operationId);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    status.className = 'answered';
    status.textContent = 'Sending …';
    try {
      await send();
    } catch (error) {
      status.className = 'answered bad';
      status.textContent = error.message;
      answer.hidden = true;
    }
  });

  async function send() {
    let url = path;
    const query = new URLSearchParams();
    for (const { one, input } of inputs) {
      if (one.in === 'path') url = url.replace('{' + one.name + '}', encodeURIComponent(input.value));
      else if (input.value !== '') query.set(one.name, input.value);
    }
    let content;
    if (text || (dry && method !== 'delete')) content = text && text.value.trim() !== '' ? JSON.parse(text.value) : {};
    if (dry?.checked) { if (method === 'delete') query.set('dry_run', 'true'); else content = { ...content, dry_run: true }; }
    const headers = {};
    if (content !== undefined) headers['content-type'] = 'application/json';
    if (idempotency && idempotency.value !== '' && !dry?.checked) headers['idempotency-key'] = idempotency.value;
    if (key !== '') headers.authorization = 'Bearer ' + key;
    else if (session) {
      headers['usance-tenant'] = tenant.value;
      if (isChange && session.tenant.id !== tenant.value) session = (await readSession(tenant.value)) ?? session;
      if (isChange) headers['x-usance-csrf'] = session.csrf;
    }
    const asked = url + (query.size > 0 ? '?' + query : '');
    const began = performance.now();
    const response = await window.fetch(asked, {
      method: method.toUpperCase(), headers, cache: 'no-store',
      credentials: key === '' ? 'same-origin' : 'omit',
      ...(content === undefined ? {} : { body: JSON.stringify(content) }),
    });
    const took = Math.round(performance.now() - began);
    const received = await response.text();
    status.className = response.ok ? 'answered' : 'answered bad';
    status.textContent = method.toUpperCase() + ' ' + asked + ': ' + response.status + ' in ' + took + ' ms';
    if (response.status === 403 && key === '') session = await readSession(tenant?.value);
    let shown = received;
    try {
      const parsed = JSON.parse(received);
      shown = JSON.stringify(parsed, null, 2);
      if (!response.ok && byId(parsed.code)) status.append(' ', make('a', { href: '#' + parsed.code, textContent: parsed.code }));
    } catch { /* Not JSON: shown as it is. */ }
    answer.textContent = shown.length > 100000 ? shown.slice(0, 100000) + ' …' : shown;
    answer.hidden = shown === '';
  }
  return form;
}
`;
