/** Runs in the reader's browser: puts the address of the page into the examples, filters, copies an example. */
export const SCRIPT = `
// Examples with the address that this page came from.
for (const example of document.querySelectorAll('pre')) {
  example.textContent = example.textContent.replaceAll('http://localhost:3001', location.origin);
}
const filter = document.getElementById('filter');
filter.addEventListener('input', () => {
  const words = filter.value.toLowerCase().split(/\\s+/).filter(Boolean);
  for (const one of document.querySelectorAll('[data-find]')) {
    const unasked = 'unlisted' in one.dataset && words.length === 0;
    one.hidden = unasked || !words.every((word) => one.dataset.find.includes(word));
  }
  document.getElementById('none').hidden = document.querySelector('nav [data-find]:not([hidden])') !== null;
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target === filter) return;
  event.preventDefault();
  filter.focus();
});
document.addEventListener('click', async (event) => {
  if (event.target.tagName !== 'BUTTON') return;
  await navigator.clipboard.writeText(event.target.closest('figure').querySelector('pre').textContent);
  event.target.textContent = 'Copied';
  setTimeout(() => { event.target.textContent = 'Copy'; }, 1500);
});
`;
