// Math and code in an answer, once a block is finished.  Both libraries are
// loaded when the first formula or listing is met, and not before.
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

interface Node { scope?: string; children: Array<Node | string> }

/** The tree that highlight.js makes, as elements: no markup is parsed. */
function build(into: HTMLElement, node: Node) {
  for (const child of node.children) {
    if (typeof child === 'string') {
      into.append(child);
      continue;
    }
    const span = document.createElement('span');
    if (child.scope)
      span.className = child.scope.split('.').map((s, i) => (i ? `${s}_` : `hljs-${s}`)).join(' ');
    build(span, child);
    into.append(span);
  }
}

async function colour(root: HTMLElement) {
  const { default: hljs } = await import('./hljs.ts');
  for (const el of root.querySelectorAll<HTMLElement>('pre code:not([data-drawn])')) {
    const name = el.closest<HTMLElement>('[data-lang]')?.dataset.lang?.toLowerCase();
    const text = el.textContent ?? '';
    if (!name || !hljs.getLanguage(name) || text.length > CODE_MAX) continue;
    el.dataset.drawn = '';
    const result = hljs.highlight(text, { language: name }) as unknown as { _emitter: { root: Node } };
    el.replaceChildren();
    build(el, result._emitter.root);
  }
}

/** What cannot be loaded stays as it was written. */
export function upgrade(block: HTMLElement, done: boolean) {
  if (block.querySelector('.fn-math:not([data-open])')) drawMath(block).catch(() => {});
  if (done && block.querySelector('pre')) colour(block).catch(() => {});
  // What scrolls by itself must be reachable by keys.
  for (const el of block.querySelectorAll<HTMLElement>('pre, table')) el.tabIndex = 0;
}
