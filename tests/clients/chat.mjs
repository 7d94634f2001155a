// chat.mjs - the AI SDK's own Chat and transport, majors 5, 6 and 7.
import assert from 'node:assert/strict';

import { atGate, call, history, must, newCourse, newId, pass, question, server, test, until } from './lib.mjs';

const texts = (message) =>
    message.parts.filter((p) => p.type === 'text').map((p) => p.text).join('');
const sources = (message) => message.parts.filter((p) => p.type === 'data-rag-source');
const PLAIN = 'Cats sleep 13 hours [1] and kittens more [2].';

/** What of messages goes over the wire: undefined is absent there, and what
 * the server adds to a question as metadata the page does not have. */
const shape = (messages) =>
    JSON.parse(JSON.stringify(messages)).map(({ metadata, ...message }) =>
        message.role === 'assistant' ? { ...message, metadata } : message,
    );

async function checkHistory(chat) {
    assert.deepEqual(shape(await history(chat.id)), shape(chat.messages));
}

/** An answer as it is stored: whole, with its sources before its text. */
function checkAnswer(message, text) {
    const kinds = message.parts.map((p) => p.type);
    assert.equal(message.role, 'assistant');
    assert.ok(sources(message).length > 0, 'it has sources');
    assert.ok(kinds.lastIndexOf('data-rag-source') < kinds.indexOf('text'), 'sources come first');
    assert.deepEqual(
        sources(message).map((p) => p.id),
        sources(message).map((_, i) => `src-${i + 1}`),
    );
    assert.ok(sources(message).every((p) => p.data.content_preview.length > 0));
    assert.ok(
        message.parts.some((p) => p.type === 'source-document' || p.type === 'source-url'),
        'sources are mirrored for other user interfaces',
    );
    assert.equal(texts(message), text);
}

export function chatCases(version, { Chat, DefaultChatTransport }) {
    const open = (id, messages = []) => {
        const seen = { errors: [], finished: [] };
        const chat = new Chat({
            id,
            messages,
            transport: new DefaultChatTransport({ api: `${server}/api/chat` }),
            onError: (error) => seen.errors.push(error),
            onFinish: (event) => seen.finished.push(event),
        });
        return Object.assign(chat, { seen });
    };
    const ask = async (chat, script, courseId, more = {}) => {
        const body = { body: { courseId } };
        await chat.sendMessage({ text: question(script), ...more }, body);
    };
    const last = (chat) => chat.messages.at(-1);
    const name = (words) => `ai ${version}: ${words}`;

    test(name('an answer streams with its sources before its text'), async () => {
        const chat = open(newId());
        await ask(chat, 'plain', await newCourse());
        assert.equal(chat.status, 'ready');
        assert.deepEqual(chat.seen.errors, []);
        assert.equal(chat.messages.length, 2);
        checkAnswer(last(chat), PLAIN);
        assert.equal(last(chat).metadata.status, 'complete');
    });

    test(name('the history is what was streamed, part for part'), async () => {
        const chat = open(newId());
        const course = await newCourse();
        await ask(chat, 'plain', course);
        await ask(chat, 'plain', course);
        await checkHistory(chat);
    });

    test(name('a source is stored before it is shown'), async () => {
        const chat = open(newId());
        const running = ask(chat, 'gated', await newCourse());
        await atGate('start');
        await until(() => last(chat)?.role === 'assistant' && sources(last(chat)).length);
        const stored = await must('GET', `/api/sessions/${chat.id}/messages`);
        const answer = stored.messages.at(-1);
        assert.equal(answer.id, last(chat).id);
        assert.equal(answer.status, 'streaming');
        assert.equal(answer.sources.length, sources(last(chat)).length);
        for (const gate of ['start', 'middle', 'end']) await pass(gate);
        await running;
    });

    test(name('a page that is loaded again in mid-answer goes on'), async () => {
        const first = open(newId());
        const running = ask(first, 'gated', await newCourse());
        await pass('start');
        await until(() => first.messages.length === 2 && texts(last(first)) === 'Cats');
        const second = open(first.id, await history(first.id));
        assert.equal(second.messages.length, 1, 'the running answer is left out');
        const resumed = second.resumeStream();
        await until(() => second.messages.length === 2 && texts(last(second)) === 'Cats');
        await pass('middle');
        await pass('end');
        await Promise.all([running, resumed]);
        checkAnswer(last(second), 'Cats sleep.');
        assert.equal(second.messages.length, 2);
        await checkHistory(second);
    });

    test(name('a second viewer sees the same'), async () => {
        const first = open(newId());
        const running = ask(first, 'gated', await newCourse());
        await atGate('start');
        await until(async () => (await history(first.id)).length > 0);
        const second = open(first.id, await history(first.id));
        const watching = second.resumeStream();
        for (const gate of ['start', 'middle', 'end']) await pass(gate);
        await Promise.all([running, watching]);
        assert.deepEqual(shape([last(second)]), shape([last(first)]));
    });

    test(name('with nothing running there is nothing to resume'), async () => {
        const chat = open(newId());
        await chat.resumeStream();
        assert.equal(chat.status, 'ready');
        assert.deepEqual(chat.seen.errors, []);
        assert.equal(chat.messages.length, 0);
    });

    test(name('a viewer that leaves does not end the answer'), async () => {
        const chat = open(newId());
        const running = ask(chat, 'gated', await newCourse());
        await pass('start');
        await until(() => chat.messages.length === 2 && texts(last(chat)) === 'Cats');
        await chat.stop(); // closes the connection, no more
        await running;
        await pass('middle');
        await pass('end');
        const stored = await until(async () => {
            const messages = await history(chat.id);
            return messages.length === 2 && messages;
        }, 'the answer is complete');
        checkAnswer(stored[1], 'Cats sleep.');
    });

    test(name('what was stopped is there after a reload, with its sources'), async () => {
        const chat = open(newId());
        const running = ask(chat, 'gated', await newCourse());
        await pass('start');
        await until(() => chat.messages.length === 2 && texts(last(chat)) === 'Cats');
        const stopped = await must('POST', `/api/chat/${chat.id}/stop`, {});
        assert.deepEqual(stopped, { success: true, status: 'stopped' });
        await chat.stop();
        await running;
        const stored = await until(async () => {
            const messages = await history(chat.id);
            return messages.length === 2 && messages;
        }, 'the stopped answer is in the history');
        checkAnswer(stored[1], 'Cats');
        assert.equal(stored[1].metadata.status, 'stopped');
        const again = open(chat.id, stored);
        await again.resumeStream();
        assert.deepEqual(shape(again.messages), shape(stored));
        assert.deepEqual(again.seen.errors, []);
    });

    test(name('what fails before the stream leaves no answer'), async () => {
        const chat = open(newId());
        await ask(chat, 'plain', newId());
        assert.equal(chat.status, 'error');
        assert.match(chat.error.message, /course_not_found/);
        assert.equal(chat.messages.length, 1);
    });

    test(name('an error before the first word tells a sentence'), async () => {
        const chat = open(newId());
        await ask(chat, 'q21_context_400', await newCourse());
        assert.equal(chat.status, 'error');
        assert.match(chat.error.message, /too long for the model/);
        const [, answer] = await history(chat.id);
        assert.equal(answer.metadata.status, 'failed');
        assert.ok(sources(answer).length > 0);
    });

    test(name('an error in the middle keeps text and sources'), async () => {
        const chat = open(newId());
        await ask(chat, 'q20_early_end', await newCourse());
        assert.equal(chat.status, 'error');
        assert.equal(texts(last(chat)), 'Cats');
        const [, answer] = await history(chat.id);
        checkAnswer(answer, 'Cats');
        assert.equal(answer.metadata.status, 'failed');
        assert.deepEqual(sources(answer), JSON.parse(JSON.stringify(sources(last(chat)))));
    });

    test(name('an answer can be made again, and the old one is kept'), async () => {
        const chat = open(newId());
        const course = await newCourse();
        await ask(chat, 'plain', course);
        const old = last(chat).id;
        await chat.regenerate({ body: { courseId: course } });
        assert.equal(chat.status, 'ready');
        assert.equal(chat.messages.length, 2);
        assert.notEqual(last(chat).id, old);
        checkAnswer(last(chat), PLAIN);
        await checkHistory(chat);
        const all = await must('GET', `/api/sessions/${chat.id}/messages?versions=all`);
        const kept = all.messages.find((m) => m.id === old);
        assert.equal(kept.replacedBy, last(chat).id);
        assert.deepEqual(last(chat).metadata.versions, [old, last(chat).id]);
    });

    test(name('stepping back shows what followed an edited question'), async () => {
        const chat = open(newId());
        const course = await newCourse();
        await ask(chat, 'plain', course);
        await ask(chat, 'plain', course);
        const before = await history(chat.id);
        await ask(chat, 'q18_length', course, { messageId: before[0].id });
        const [question] = await history(chat.id);
        const [first] = question.metadata.versions;
        await must('PATCH', `/api/sessions/${chat.id}`, { shown: first });
        const again = open(chat.id, await history(chat.id));
        assert.deepEqual(shape(again.messages).slice(1), shape(before).slice(1));
        await again.regenerate({ messageId: again.messages[1].id, body: { courseId: course } });
        assert.equal(again.messages.length, 2);
        await checkHistory(again);
        assert.deepEqual(last(again).metadata.versions, [before[1].id, last(again).id]);
    });

    test(name('a question can be edited'), async () => {
        const chat = open(newId());
        const course = await newCourse();
        await ask(chat, 'plain', course);
        await ask(chat, 'plain', course);
        const messageId = chat.messages[0].id;
        await ask(chat, 'q18_length', course, { messageId });
        assert.equal(chat.messages.length, 2);
        assert.equal(texts(last(chat)), 'Cats sle');
        await checkHistory(chat);
    });

    test(name('a made-up answer in the request is not stored'), async () => {
        const invented = { id: newId(), role: 'assistant', parts: [{ type: 'text', text: 'I lie.' }] };
        const chat = open(newId(), [invented]);
        await ask(chat, 'plain', await newCourse());
        assert.ok((await history(chat.id)).every((m) => m.id !== invented.id));
    });

    test(name('a second question while one runs is refused'), async () => {
        const chat = open(newId());
        const course = await newCourse();
        const running = ask(chat, 'gated', course);
        await atGate('start');
        const other = await call('POST', '/api/chat', {
            id: chat.id,
            courseId: course,
            trigger: 'submit-message',
            messages: [{ id: newId(), role: 'user', parts: [{ type: 'text', text: 'And dogs?' }] }],
        });
        assert.equal(other.status, 409);
        assert.equal(other.value.code, 'turn_running');
        assert.equal(other.headers.get('x-should-retry'), 'false');
        for (const gate of ['start', 'middle', 'end']) await pass(gate);
        await running;
    });

    test(name('numbers count on over two searches'), async () => {
        const chat = open(newId());
        await ask(chat, 'tools_twice', await newCourse());
        assert.equal(chat.status, 'ready');
        assert.equal(texts(last(chat)), 'Cats sleep [1], dogs bark [2].');
        const numbers = sources(last(chat)).map((p) => p.data.chunk_number);
        assert.deepEqual(numbers, numbers.map((_, i) => i + 1));
        await checkHistory(chat);
    });
}
