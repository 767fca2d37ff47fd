// The list of findings, its filters, and the keys.
'use strict';
const byId = (id) => document.getElementById(id);
let shownFindings = [];
let current = -1;  // into shownFindings
let view = null;

const matches = {
  search: (finding, text) => JSON.stringify([finding.headline, finding.why, finding.tests]).toLowerCase().includes(text.toLowerCase()),
  kind: (finding, kind) => finding.cause.kind === kind,
  analysis: (finding, name) => finding.evidence.some((evidence) => evidence.analysis === name),
  of: (finding, of) => finding.cause.of === of,
  test: (finding, name) => finding.tests.some((test) => test.test === name),
  which: (finding, which) => which === 'new' ? finding.new : which === 'known' ? !finding.new : finding.proved,
};

function fill(id, values) {
  byId(id).replaceChildren(make('option', {value: ''}, 'all'),
                           ...[...new Set(values)].sort().map((value) => make('option', {value}, value || '(none)')));
}

function filter() {
  shownFindings = findings.filter((finding) =>
    Object.entries(matches).every(([id, match]) => !byId(id).value || match(finding, byId(id).value)));
  byId('shown').textContent = `${shownFindings.length} of ${findings.length} findings`;
  byId('index').replaceChildren(...shownFindings.map((finding, i) => make('li', {},
    make('button', {type: 'button', onclick: () => choose(i)}, finding.headline,
         make('small', {}, `${finding.proved ? 'a test fails' : 'seen'}, ${finding.tests.length} test${finding.tests.length === 1 ? '' : 's'}${finding.new ? '' : ', known'}`)))));
  choose(0);
}

function choose(i) {
  current = Math.max(0, Math.min(i, shownFindings.length - 1));
  const buttons = byId('index').querySelectorAll('button');
  buttons.forEach((button, at) => button.setAttribute('aria-current', String(at === current)));
  if (!shownFindings.length) {
    view = null;
    byId('finding').replaceChildren(make('p', {}, findings.length ? 'No finding fits.' : 'Nothing was found.'));
    return;
  }
  buttons[current].scrollIntoView({block: 'nearest'});
  view = new FindingView(shownFindings[current]);
  byId('finding').replaceChildren(view.element);
  view.start();
}

const keys = {
  n: () => choose(current + 1), p: () => choose(current - 1),
  j: () => view?.story?.move(1), k: () => view?.story?.move(-1),
  ArrowDown: () => view?.story?.move(1), ArrowUp: () => view?.story?.move(-1),
  Home: () => view?.story?.move(-1e9), End: () => view?.story?.move(1e9),
  '/': () => byId('search').focus(),
};

function pressed(event) {
  const typing = /^(INPUT|SELECT)$/.test(event.target.tagName);
  const inLanes = event.target.closest?.('.lanes');
  const scrolls = /^(Arrow|Home|End)/.test(event.key);  // elsewhere these scroll the page
  if (event.ctrlKey || event.metaKey || event.altKey || typing || !keys[event.key] || (scrolls && !inLanes)) return;
  event.preventDefault();
  keys[event.key]();
}

function toggleTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
}

fill('kind', findings.map((finding) => finding.cause.kind));
fill('analysis', findings.flatMap((finding) => finding.evidence.map((evidence) => evidence.analysis)));
fill('of', findings.map((finding) => finding.cause.of));
fill('test', findings.flatMap((finding) => finding.tests.map((test) => test.test)));
byId('summary').textContent = `${findings.length} finding${findings.length === 1 ? '' : 's'} in ${result.tests.length} tests` +
  (result.complete ? '' : '; ended before all was done') + (result.gone.length ? `; ${result.gone.length} known ones are gone` : '');
if (result.gone.length) {
  const name = (cause) => make('li', {}, `${cause.kind}: ${cause.function} ${cause.of}`);
  byId('index').after(make('details', {id: 'gone'}, make('summary', {}, 'Gone'), make('ul', {}, ...result.gone.map(name))));
}
const broken = result.tests.filter((test) => /^(failed|hangs|error)$/.test(test.verdict));
if (broken.length) {
  const item = (test) => make('li', {}, `${test.name}: ${test.verdict}${test.note ? ': ' + test.note : ''}`,
                              test.output ? make('pre', {}, test.output.join('\n')) : null);
  byId('index').after(make('details', {open: '', id: 'broken'}, make('summary', {}, 'Tests that do not pass by themselves'),
                           make('ul', {}, ...broken.map(item))));
}
byId('filters').addEventListener('input', filter);
byId('filters').addEventListener('submit', (event) => event.preventDefault());
byId('theme').addEventListener('click', toggleTheme);
document.addEventListener('keydown', pressed);
filter();
