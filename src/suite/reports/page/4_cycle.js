// The cycle of transactions as a small graph.
'use strict';
function svg(name, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// Null: there is no cycle to draw.
function cycleOf(evidence) {
  const count = evidence.transactions.length;
  if (!evidence.edges.length || count < 2 || count > 8) return null;
  const width = 840, height = 60 + 70 * Math.ceil(count / 2);
  const spot = (i) => ({x: i % 2 ? width - 160 : 160, y: 50 + 70 * Math.floor(i / 2) + (i % 2 ? 20 : 0)});
  const arrow = svg('marker', {id: 'arrow', viewBox: '0 0 10 10', refX: '9', refY: '5', markerWidth: '7', markerHeight: '7', orient: 'auto'},
                    svg('path', {d: 'M0 0 10 5 0 10z'}));
  const picture = svg('svg', {class: 'cycle', viewBox: `0 0 ${width} ${height}`, width, height, role: 'img',
                              'aria-label': 'Which transaction had to come before which'}, svg('defs', {}, arrow));
  const drawn = new Map();
  for (const edge of evidence.edges) {
    const from = evidence.steps[edge.from].transaction, to = evidence.steps[edge.to].transaction;
    if (from === to || drawn.has(from + '-' + to)) continue;
    drawn.set(from + '-' + to, true);
    const a = spot(from), b = spot(to), up = from < to ? -14 : 14, side = b.x > a.x ? 1 : -1;
    const x1 = a.x + side * 150, x2 = b.x - side * 150;
    picture.append(svg('path', {d: `M${x1} ${a.y + up} C${(x1 + x2) / 2} ${a.y + 3 * up} ${(x1 + x2) / 2} ${b.y + 3 * up} ${x2} ${b.y + up}`,
                                'marker-end': 'url(#arrow)'}));
  }
  evidence.transactions.forEach((transaction, i) => {
    const at = spot(i), label = (transaction.region || 'code outside every region') + ', T' + transaction.thread;
    picture.append(svg('rect', {x: at.x - 150, y: at.y - 20, width: 300, height: 40, rx: 6, class: transaction.blamed ? 'blamed' : ''}),
                   svg('text', {x: at.x, y: at.y + 4, 'text-anchor': 'middle'}, label.length > 42 ? '…' + label.slice(-41) : label));
  });
  return picture;
}
