// One finding: why, how to mend it, the tests that show it, and its evidence step by step.
'use strict';
class Story {
  constructor(evidence) {
    this.evidence = evidence;
    this.source = new SourcePane();
    this.details = make('dl', {class: 'details', 'aria-label': 'Step'});
    this.lanes = new Lanes(evidence, (i) => this.show(i));
    this.element = make('div', {role: 'tabpanel'}, make('p', {}, evidence.message),
                        make('div', {class: 'story'}, make('div', {}, this.lanes.element, this.details), this.source.element));
    const cycle = cycleOf(evidence);
    if (cycle) this.element.append(cycle);
  }
  // To be called when it is in the document.
  start() {
    const telling = [...this.lanes.telling].sort((a, b) => a - b);
    if (this.evidence.steps.length) this.lanes.go(telling.length ? telling[0] : 0);
  }
  move(by) { this.lanes.go(this.lanes.now + by); }
  show(i) {
    const step = this.evidence.steps[i], place = ownPlace(this.evidence, step);
    const lines = new Set();
    for (const other of this.evidence.steps) {
      const there = ownPlace(this.evidence, other);
      if (there.file === place.file) lines.add(there.line);
    }
    this.source.show(place, lines);
    this.describe(step, place);
    document.getElementById('voice').textContent =
      `Step ${i + 1}: thread ${step.thread} ${step.operation} ${step.operand} ${placeText(place)}`;
  }
  describe(step, place) {
    const rows = [['thread', 'T' + step.thread], ['operation', step.operation + ' ' + step.operand], ['place', (place.function || '') + ' ' + placeText(place)]];
    if (step.role) rows.push(['role', step.role]);
    for (const held of step.held || []) rows.push(['holds', held.lock + ', taken at ' + placeText(held.taken)]);
    if (step.block) rows.push(['memory', `byte ${step.block.offset} of ${step.block.size}, allocated at ${placeText(step.block.place)}`]);
    for (const frame of stackOf(this.evidence, step)) rows.push(['called', (frame.function || '?') + ' ' + placeText(frame)]);
    this.details.replaceChildren(...rows.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]));
  }
}

function commandOf(test) {
  const button = make('button', {type: 'button', class: 'copy', onclick: () => {
    navigator.clipboard?.writeText(test.replay);
    button.textContent = 'Copied';
  }}, 'Copy');
  return make('div', {class: 'command'}, make('pre', {}, test.replay), button);
}

class FindingView {
  constructor(finding) {
    this.finding = finding;
    this.tabs = finding.evidence.map((evidence, i) => make('button', {type: 'button', role: 'tab', onclick: () => this.open(i)}, evidence.analysis));
    this.panel = make('div', {});
    const failure = finding.evidence.map((one) => one.failure).find(Boolean);
    const failing = finding.tests.find((test) => test.replay);
    this.element = make('article', {}, make('h2', {}, finding.headline),
      make('p', {}, make('span', {class: 'badge' + (finding.proved ? ' bad' : '')}, finding.proved ? 'a test fails' : 'seen'),
           make('span', {class: 'badge'}, finding.new ? 'new' : 'known'), make('span', {class: 'badge'}, finding.cause.kind)),
      ...finding.why.map((sentence) => make('p', {class: 'why'}, sentence)),
      finding.hint ? make('p', {class: 'hint'}, 'Hint: ' + finding.hint) : null,
      make('h3', {}, 'Tests'), make('ul', {}, ...finding.tests.map((test) => make('li', {}, test.test + (test.failure ? ': fails: ' + test.failure : '')))),
      failing ? make('h3', {}, 'Bring it back') : null, failing ? commandOf(failing) : null,
      failure ? make('details', {}, make('summary', {}, 'What the test wrote'), make('pre', {}, failure.errors + failure.output)) : null,
      make('div', {role: 'tablist', 'aria-label': 'Evidence'}, ...this.tabs), this.panel);
  }
  start() { if (this.tabs.length) this.open(0); }
  open(i) {
    this.tabs.forEach((tab, at) => tab.setAttribute('aria-selected', String(at === i)));
    this.story = new Story(this.finding.evidence[i]);
    this.panel.replaceChildren(this.story.element);
    this.story.start();
  }
}
