// hook.mjs - useChat in a page, as an app has it.
import assert from 'node:assert/strict';

import { JSDOM } from 'jsdom';

import { history, newCourse, newId, pass, question, server, test, until } from './lib.mjs';

/** React looks for a document when it is loaded. */
async function page() {
    const { window } = new JSDOM('<!doctype html><div id="app"></div>', {
        url: server,
        pretendToBeVisual: true,
    });
    globalThis.window = window;
    globalThis.document = window.document;
    const react = await import('react');
    const { createRoot } = await import('react-dom/client');
    return { window, react, createRoot };
}

export function hookCases(version, { useChat, DefaultChatTransport }) {
    const mount = async (id, messages, resume) => {
        const { window, react, createRoot } = await page();
        const { createElement: e } = react;
        const box = { chat: null };
        const part = (p, i) =>
            p.type === 'data-rag-source'
                ? e('li', { key: i }, `[${p.data.chunk_number}] ${p.data.title}`)
                : p.type === 'text'
                  ? e('p', { key: i }, p.text)
                  : null;
        const App = () => {
            box.chat = useChat({
                id,
                messages,
                resume,
                transport: new DefaultChatTransport({ api: `${server}/api/chat` }),
            });
            return box.chat.messages.map((m) =>
                e('article', { key: m.id, id: m.id }, m.parts.map(part)),
            );
        };
        const root = createRoot(window.document.getElementById('app'));
        root.render(e(App));
        await until(() => box.chat);
        return {
            box,
            html: () => window.document.getElementById('app').innerHTML,
            close: () => root.unmount(),
        };
    };

    test(`useChat of ai ${version}: a reload in mid-answer shows the same page`, async () => {
        const id = newId();
        const courseId = await newCourse();
        const first = await mount(id, [], false);
        first.box.chat.sendMessage({ text: question('gated') }, { body: { courseId } });
        await pass('start');
        await until(() => first.html().includes('<p>Cats</p>'));
        first.close();
        const second = await mount(id, await history(id), true);
        await until(() => second.html().includes('<p>Cats</p>'));
        await pass('middle');
        await pass('end');
        await until(() => second.box.chat.status === 'ready' && second.html().includes('Cats sleep.'));
        const shown = second.html();
        assert.match(shown, /<li>\[1\] On cats/);
        second.close();
        const third = await mount(id, await history(id), true);
        await until(() => third.html() === shown, 'the same page after another reload');
        third.close();
    });
}
