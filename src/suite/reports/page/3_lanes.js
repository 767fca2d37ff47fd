// The interleaving as lanes, one column for each thread. Only rows in sight are in the document, so that 20,000 steps stay quick.
'use strict';
const kRowHeight = 24;
const kMargin = 20;  // rows above and below what is in sight

class Lanes {
  // `chosen(i)` is called when the user goes to step i.
  constructor(evidence, chosen) {
    this.evidence = evidence;
    this.chosen = chosen;
    this.telling = tellingSteps(evidence);
    this.threads = evidence.threads.map((thread) => thread.id);
    this.now = -1;
    const names = evidence.threads.map((thread) => make('div', {role: 'columnheader'}, thread.name));
    this.head = make('div', {class: 'head', role: 'row'}, make('div', {role: 'columnheader'}, 'place'), ...names);
    this.body = make('div', {role: 'rowgroup'});
    this.body.style.height = evidence.steps.length * kRowHeight + 'px';
    this.body.style.position = 'relative';
    this.element = make('div', {class: 'lanes', role: 'grid', tabindex: '0', 'aria-label': 'Interleaving',
                                'aria-rowcount': evidence.steps.length + 1, onscroll: () => this.draw(),
                                onclick: (event) => this.clicked(event)}, this.head, this.body);
  }
  clicked(event) {
    const row = event.target.closest('.row');
    if (row) this.go(Number(row.dataset.step));
  }
  go(step) {
    this.now = Math.max(0, Math.min(step, this.evidence.steps.length - 1));
    const top = this.now * kRowHeight, height = this.element.clientHeight - 2 * kRowHeight;
    if (top < this.element.scrollTop || top > this.element.scrollTop + height) this.element.scrollTop = top - height / 2;
    this.draw();
    this.chosen(this.now);
  }
  draw() {
    const first = Math.max(0, Math.floor(this.element.scrollTop / kRowHeight) - kMargin);
    const count = Math.ceil((this.element.clientHeight || 600) / kRowHeight) + 2 * kMargin;
    const rows = [];
    for (let i = first; i < Math.min(first + count, this.evidence.steps.length); ++i) rows.push(this.row(i));
    this.body.replaceChildren(...rows);
  }
  row(i) {
    const step = this.evidence.steps[i];
    const text = (step.role ? step.role + ': ' : '') + step.operation + ' ';
    const cells = this.threads.map((thread) => thread !== step.thread ? make('div', {role: 'gridcell'}) :
      make('div', {role: 'gridcell', title: text + step.operand}, text + shortOperand(step.operand)));
    const row = make('div', {class: 'row' + (this.telling.has(i) ? ' telling' : ''), role: 'row', 'data-step': i,
                             'aria-rowindex': i + 2, 'aria-selected': String(i === this.now)},
                     make('div', {role: 'gridcell'}, placeText(ownPlace(this.evidence, step))), ...cells);
    row.style.top = i * kRowHeight + 'px';
    return row;
  }
}
