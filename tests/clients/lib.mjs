// lib.mjs - what the cases share: a list of tests, the server, the script.
//
// SERVER is the address of footnote, UPSTREAM that of the scripted model
// server (tests/upstream), whose scripts a question picks by script:NAME.
import { randomUUID } from 'node:crypto';

export const server = process.env.SERVER;
export const upstream = process.env.UPSTREAM;

// ---- Tests ------------------------------------------------------------------

const tests = [];
export const test = (name, run) => tests.push({ name, run });

const LIMIT_MS = 30_000;
const deadline = (name) =>
    new Promise((_, fail) => {
        setTimeout(() => fail(new Error(`${name}: no end`)), LIMIT_MS).unref();
    });

/** Runs all tests, one after the other; words pick by name. */
export async function runAll(words) {
    let passed = 0;
    let failed = 0;
    for (const { name, run } of tests) {
        if (!words.every((w) => name.includes(w))) continue;
        try {
            await Promise.race([run(), deadline(name)]);
            passed++;
            if (process.env.V === '1') console.log(`ok   ${name}`);
        } catch (error) {
            failed++;
            console.log(`FAIL ${name}\n${error.stack}`);
        }
    }
    console.log(`${passed} passed, ${failed} failed`);
    return failed === 0 && passed > 0;
}

/** Waits until it holds; what is waited for is asked, never slept for. */
export async function until(holds, what) {
    const end = Date.now() + LIMIT_MS;
    for (;;) {
        const value = await holds();
        if (value) return value;
        if (Date.now() > end) throw new Error(`never: ${what ?? holds}`);
        await new Promise((then) => setTimeout(then, 5));
    }
}

// ---- The server -------------------------------------------------------------

export async function call(method, path, body) {
    const response = await fetch(server + path, {
        method,
        headers: body ? { 'content-type': 'application/json' } : {},
        body: body && JSON.stringify(body),
    });
    const text = await response.text();
    const value = text ? JSON.parse(text) : null;
    return { status: response.status, headers: response.headers, value };
}

export async function must(method, path, body) {
    const { status, value } = await call(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(value)}`);
    return value;
}

/** The history as useChat wants it. */
export const history = async (id) =>
    (await must('GET', `/api/sessions/${id}/messages?as=ui`)).messages;

const TEXT = `Cats sleep about 13 hours a day.\n\nKittens sleep even more than
grown cats do, up to 20 hours.\n\nDogs bark at the postman.`;

/** A course with one searchable document. */
export async function newCourse() {
    const course = await must('POST', '/api/courses', { title: 'Animals' });
    const document = await must('POST', `/api/courses/${course.id}/documents`, {
        kind: 'text',
        title: 'On cats',
        text: TEXT,
    });
    await until(async () => {
        const now = await must('GET', `/api/documents/${document.id}?wait=5`);
        if (now.status === 'failed') throw new Error(JSON.stringify(now));
        return now.status === 'ready';
    }, 'the document is searchable');
    return course.id;
}

export const newId = () => randomUUID();

// ---- The script -------------------------------------------------------------

/** A question that finds the document, answered by that script. */
export const question = (script, words = 'How long do cats sleep?') =>
    `${words} script:${script}`;

/** Waits until an answer stands at the gate. */
export const atGate = (name) => fetch(`${upstream}/gate/${name}`);
/** Lets one answer pass. */
export const pass = (name) => fetch(`${upstream}/gate/${name}`, { method: 'POST' });
export const asked = async () => (await fetch(`${upstream}/requests`)).json();
