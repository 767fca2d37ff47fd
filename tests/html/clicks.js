// Clicks on everything that the page offers and presses its keys; what is wrong stands in the title at the end.
const wrong = [];
const expect = (holds, what) => { if (!holds) wrong.push(what); };
const byTag = (selector) => [...document.querySelectorAll(selector)];
const one = (selector) => document.querySelector(selector);
const press = (key, target = document.body) => target.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
const set = (id, value) => {
  const field = document.getElementById(id);
  field.value = value;
  field.dispatchEvent(new Event('input', {bubbles: true}));
};
const rowNow = () => one('.row[aria-selected="true"]')?.dataset.step;
window.addEventListener('error', (event) => wrong.push('error: ' + event.message));

function theIndex(count) {
  expect(byTag('#index button').length === count, 'all findings are listed');
  expect(one('#index button').getAttribute('aria-current') === 'true', 'the first is chosen');
  expect(!one('main b') && document.body.innerText.includes('first<' + '/script><b>'), 'names are text, not HTML');
  byTag('#index button')[1].click();
  expect(one('main h2').textContent.includes('ns::C'), 'a click chooses a finding');
  press('p');
  expect(one('main h2').textContent.includes('shop::Inventory::order'), 'p goes back');
  press('n');
  press('n');
  expect(byTag('#index button')[2].getAttribute('aria-current') === 'true', 'n goes on');
}

function theFilters(count) {
  set('search', 'inventory');
  expect(byTag('#index button').length === 1, 'search');
  set('search', 'no such thing');
  expect(one('main').textContent === 'No finding fits.', 'nothing fits');
  press('j');
  set('search', '');
  set('which', 'proved');
  expect(byTag('#index button').length === 1, 'those that fail');
  set('which', 'known');
  expect(byTag('#index button').length === 1, 'known ones');
  set('which', 'new');
  expect(byTag('#index button').length === count - 1, 'new ones');
  set('which', '');
  set('test', 'test 1');
  expect(byTag('#index button').length < count && one('#index button'), 'of one test');
  set('test', '');
  set('kind', 'atomicity');
  expect(byTag('#index button').length === count, 'of one kind');
  set('of', 'shop::Inventory');
  expect(byTag('#index button').length === 1, 'of one class');
  set('of', '');
  set('kind', '');
  set('analysis', one('#analysis').options[1].value);
  expect(byTag('#index button').length > 0, 'of one analysis');
  set('analysis', '');
  expect(one('#broken pre').textContent === 'x.cc:1: Failure\n<b>no markup</b>', 'a failed test and what it wrote');
}

function theSteps(steps) {
  press('p');
  expect(rowNow() === '0', 'the story begins at its first step');
  press('j');
  expect(rowNow() === '1' && one('#voice').textContent.startsWith('Step 2'), 'j goes to the next step');
  press('k');
  expect(rowNow() === '0', 'k goes back');
  press('End');
  expect(rowNow() === '0', 'End scrolls the page, elsewhere');
  press('End', one('.lanes'));
  expect(rowNow() === String(steps - 1), 'End goes to the last step');
  press('ArrowUp', one('.lanes'));
  expect(rowNow() === String(steps - 2), 'the arrow goes up');
  expect(byTag('.row').length < 300, 'rows out of sight are not in the document');
  press('Home', one('.lanes'));
  one('.row[data-step="2"]').click();
  expect(rowNow() === '2' && one('.details').textContent.includes('shop::Inventory::order'), 'a click shows the step');
  expect(one('.source').textContent.includes('not at hand'), 'a file that nobody quotes is not shown');
  expect(one('svg.cycle rect.blamed'), 'the cycle is drawn');
  const tabs = byTag('[role="tab"]');
  expect(tabs.length === 2, 'each evidence has a tab');
  tabs[1].click();
  expect(tabs[1].getAttribute('aria-selected') === 'true' && byTag('.row').length === 1, 'a tab shows its evidence');
}

function theRest() {
  one('.copy').click();
  expect(one('.copy').textContent === 'Copied', 'the command can be copied');
  one('main summary').click();
  expect(one('main details').open, 'what the test wrote');
  one('nav summary').click();
  expect(one('#gone').textContent.includes('old_function'), 'what is gone');
  const before = getComputedStyle(document.body).backgroundColor;
  one('#theme').click();
  expect(getComputedStyle(document.body).backgroundColor !== before, 'dark and light');
  press('/');
  expect(document.activeElement.id === 'search', '/ searches');
  press('n', one('#search'));
  expect(byTag('[src], link').length === 0, 'nothing is loaded');
  for (const button of byTag('button')) expect(button.textContent.trim(), 'each button has a name');
}

try {
  theIndex(FINDINGS);
  theFilters(FINDINGS);
  byTag('#index button')[1].click();
  theSteps(STEPS);
  theRest();
} catch (error) {
  wrong.push(error.stack);
}
document.title = wrong.length ? 'wrong: ' + wrong.join('; ') : 'all is right';
