// Draws formulas and colours code in the finished blocks of an answer.  Both
// libraries are loaded with the first formula or the first listing.
const TEX_MAX = 4000;
const CODE_MAX = 40_000;

async function drawMath(root: HTMLElement) {
  const { default: katex } = await import('./katex.ts');
  for (const el of root.querySelectorAll<HTMLElement>('.fn-math:not([data-open], [data-drawn])')) {
    const tex = el.textContent ?? '';
    if (!tex || tex.length > TEX_MAX) continue;
    el.dataset.drawn = '';
    el.setAttribute('aria-label', tex);
    try {
      katex.render(tex, el, {
        displayMode: 'display' in el.dataset, throwOnError: true, trust: false,
        strict: 'ignore', maxSize: 20, maxExpand: 200, output: 'htmlAndMathml',
      });
    } catch {
      el.textContent = tex; // as it was written
    }
  }
}

interface HighlightNode { scope?: string; children: Array<HighlightNode | string> }

/** Appends highlight.js's tree as elements, so that no markup is parsed. */
function appendTree(into: HTMLElement, node: HighlightNode) {
  for (const child of node.children) {
    if (typeof child === 'string') {
      into.append(child);
      continue;
    }
    const span = document.createElement('span');
    if (child.scope)
      span.className = child.scope.split('.').map((s, i) => (i ? `${s}_` : `hljs-${s}`)).join(' ');
    appendTree(span, child);
    into.append(span);
  }
}

async function highlightCode(root: HTMLElement) {
  const { default: hljs } = await import('./hljs.ts');
  for (const el of root.querySelectorAll<HTMLElement>('pre code:not([data-drawn])')) {
    const name = el.closest<HTMLElement>('[data-lang]')?.dataset.lang?.toLowerCase();
    const text = el.textContent ?? '';
    if (!name || !hljs.getLanguage(name) || text.length > CODE_MAX) continue;
    el.dataset.drawn = '';
    const result = hljs.highlight(text, { language: name }) as unknown as { _emitter: { root: HighlightNode } };
    el.replaceChildren();
    appendTree(el, result._emitter.root);
  }
}

/** When a library cannot be loaded, the text stays as it was written. */
export function drawMathAndCode(block: HTMLElement, done: boolean) {
  if (block.querySelector('.fn-math:not([data-open])')) drawMath(block).catch(() => {});
  if (done && block.querySelector('pre')) highlightCode(block).catch(() => {});
  // Boxes that scroll must be reachable by keyboard.
  for (const el of block.querySelectorAll<HTMLElement>('pre, table')) el.tabIndex = 0;
}
