// The source beside the lanes, coloured line by line.
'use strict';
const kWords = /^(alignas|auto|bool|break|case|catch|char|class|const|constexpr|continue|default|delete|do|double|else|enum|explicit|false|final|float|for|friend|if|inline|int|long|mutable|namespace|new|noexcept|nullptr|operator|override|private|protected|public|return|short|signed|sizeof|static|struct|switch|template|this|throw|true|try|typedef|typename|union|unsigned|using|virtual|void|volatile|while)$/;
const kTokens = /\/\/.*|\/\*.*?\*\/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|#\s*\w+|\w+|[^\w"'\/#]+|./g;

function coloured(line) {
  return (line.match(kTokens) || []).map((token) => {
    const kind = /^\/[\/*]/.test(token) ? 'c' : /^["']/.test(token) ? 's' : kWords.test(token) || token[0] === '#' ? 'k' : '';
    return kind ? make('span', {class: kind}, token) : token;
  });
}

class SourcePane {
  constructor() {
    this.element = make('section', {class: 'source', 'aria-label': 'Source', tabindex: '0'});
    this.file = null;
  }
  // `lines`: line numbers of steps in that file.
  show(place, lines) {
    if (!place || !place.file || !result.sources[place.file]) {
      this.file = null;
      this.element.replaceChildren(make('h3', {}, placeText(place) || 'no place'), make('pre', {}, 'The source is not at hand.'));
      return;
    }
    if (this.file !== place.file) this.open(place.file, lines);
    for (const old of this.element.querySelectorAll('.now')) old.classList.remove('now');
    const line = this.element.querySelector(`[data-number="${place.line}"]`);
    if (!line) return;
    line.classList.add('now');
    this.element.scrollTop = line.offsetTop - this.element.clientHeight / 2;
  }
  open(file, lines) {
    this.file = file;
    const rows = result.sources[file].map((text, i) =>
      make('li', {'data-number': i + 1, class: lines.has(i + 1) ? 'step' : undefined}, ...coloured(text)));
    this.element.replaceChildren(make('h3', {}, file), make('ol', {}, ...rows));
  }
}
