// openai.mjs - OpenAI's own client against /v1.
import assert from 'node:assert/strict';

import OpenAI from 'openai';

import { history, must, newCourse, newId, question, server, test } from './lib.mjs';

const client = new OpenAI({ baseURL: `${server}/v1`, apiKey: 'unused', maxRetries: 0 });
const PLAIN = 'Cats sleep 13 hours [1] and kittens more [2].';
const messages = (script) => [{ role: 'user', content: question(script) }];

/** Each annotation stands at a marker of the text and has a link. */
function checkAnnotations(text, annotations) {
    assert.ok(annotations.length > 0);
    for (const { type, url_citation: c } of annotations) {
        assert.equal(type, 'url_citation');
        assert.match(text.slice(c.start_index, c.end_index), /^\[\d+\]$/);
        assert.ok(c.url.startsWith('http') && c.title.length > 0);
    }
}

export function openaiCases() {
    test('openai: an answer as a whole', async () => {
        const course = await newCourse();
        const answer = await client.chat.completions.create({
            model: `footnote:${course}`,
            messages: messages('plain'),
        });
        const { message, finish_reason: reason } = answer.choices[0];
        assert.equal(message.content, PLAIN);
        assert.equal(reason, 'stop');
        assert.deepEqual(
            [answer.usage.prompt_tokens, answer.usage.completion_tokens],
            [20, 19],
        );
        checkAnnotations(message.content, message.annotations);
    });

    test('openai: an answer as a stream', async () => {
        const course = await newCourse();
        const stream = await client.chat.completions.create({
            model: `footnote:${course}`,
            messages: messages('plain'),
            stream: true,
            stream_options: { include_usage: true },
        });
        let text = '';
        let annotations = [];
        let reason = null;
        let usage = null;
        const ids = new Set();
        for await (const chunk of stream) {
            const choice = chunk.choices[0];
            ids.add(chunk.id);
            text += choice?.delta.content ?? '';
            annotations = choice?.delta.annotations ?? annotations;
            reason = choice?.finish_reason ?? reason;
            usage = chunk.usage ?? usage;
        }
        assert.equal(text, PLAIN);
        assert.equal(reason, 'stop');
        assert.equal(ids.size, 1);
        assert.equal(usage.completion_tokens, 19);
        checkAnnotations(text, annotations);
    });

    test('openai: the helper for streams ends well', async () => {
        const runner = client.chat.completions.stream({
            model: `footnote:${await newCourse()}`,
            messages: messages('plain'),
        });
        const answer = await runner.finalChatCompletion();
        assert.equal(answer.choices[0].message.content, PLAIN);
        checkAnnotations(PLAIN, answer.choices[0].message.annotations);
    });

    test('openai: a session keeps what was asked', async () => {
        const id = newId();
        const { response } = await client.chat.completions
            .create(
                { model: `footnote:${await newCourse()}`, messages: messages('plain') },
                { headers: { 'x-session-id': id } },
            )
            .withResponse();
        assert.equal(response.headers.get('x-session-id'), id);
        const stored = await history(id);
        assert.equal(stored.at(-1).id, response.headers.get('x-message-id'));
    });

    test('openai: without a session nothing is stored', async () => {
        const before = await must('GET', '/api/sessions');
        await client.chat.completions.create({
            model: `footnote:${await newCourse()}`,
            messages: messages('plain'),
        });
        const after = await must('GET', '/api/sessions');
        assert.equal(after.sessions.length, before.sessions.length);
    });

    test('openai: the models are listed', async () => {
        const ids = [];
        for await (const model of client.models.list()) ids.push(model.id);
        assert.ok(ids.includes('footnote'));
        assert.ok(ids.some((id) => id.endsWith('@extractive')), 'extractive is among them');
    });

    test('openai: a model that is not there is a 404 of its shape', async () => {
        await assert.rejects(
            client.chat.completions.create({ model: 'gpt-none', messages: messages('plain') }),
            (error) => {
                assert.ok(error instanceof OpenAI.NotFoundError);
                assert.equal(error.code, 'model_not_found');
                return true;
            },
        );
    });

    test('openai: an error before the stream has a status', async () => {
        await assert.rejects(
            client.chat.completions.create({ model: 'footnote', messages: [] }),
            (error) => error instanceof OpenAI.BadRequestError,
        );
    });

    test('openai: an error in the middle of a stream is thrown', async () => {
        const stream = await client.chat.completions.create({
            model: `footnote:${await newCourse()}`,
            messages: messages('q20_early_end'),
            stream: true,
        });
        let text = '';
        await assert.rejects(async () => {
            for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
        }, OpenAI.APIError);
        assert.equal(text, 'Cats');
    });
}
