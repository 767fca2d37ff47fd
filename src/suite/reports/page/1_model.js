// The data of the page: what `isosan test` found, as in test.md, and the source files that it quotes.
'use strict';
const result = JSON.parse(document.getElementById('data').textContent);
const findings = result.findings;

const shortName = (file) => file.slice(file.lastIndexOf('/') + 1);
const placeText = (place) => !place ? '' : place.file ? shortName(place.file) + (place.line ? ':' + place.line : '')
                                                      : place.function || '';
const isOwn = (frame) => frame.function && !/^(std::|__)/.test(frame.function) && !(frame.file || '').startsWith('/usr/');
const stackOf = (evidence, step) => step.stack === undefined ? [] : evidence.stacks[step.stack];
// Where a step happened in the program's own code.
const ownPlace = (evidence, step) => stackOf(evidence, step).find(isOwn) || step.place;

// "stock_" of "shop::Inventory::stock_ (0x7ffe)"; what has no name keeps its address.
function shortOperand(operand) {
  const name = operand.replace(/ \(0x[0-9a-f]+\)$/, '');
  return name.slice(name.lastIndexOf('::') + (name.includes('::') ? 2 : 1));
}

// The steps that say what went wrong: those with a role or an edge.
function tellingSteps(evidence) {
  const chosen = new Set();
  for (const edge of evidence.edges) chosen.add(edge.from).add(edge.to);
  evidence.steps.forEach((step, i) => { if (step.role) chosen.add(i); });
  return chosen;
}

// An element with attributes and children; text is never read as HTML.
function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== undefined && child !== null));
  return element;
}
