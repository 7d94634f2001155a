// oidc.mjs - people sign in at a provider; strangers, replays and careless
// providers do not.  PROGRAM is footnote, SCRATCH a folder, TEST_POSTGRES that
// of a PostgreSQL server.
import { strictEqual as same, match } from 'node:assert';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { generateKeyPair } from 'jose';
import { people, startProvider } from './oidc_provider.mjs';
import { runAll, test } from './lib.mjs';

const { PROGRAM, SCRATCH, TEST_POSTGRES } = process.env;

// ---- Footnote -----------------------------------------------------------------

const children = [];
function start(name, issuer, ...more) {
    const child = spawn(PROGRAM, ['serve', '--listen', '127.0.0.1:0', '--data', `${SCRATCH}/${name}`,
        '--auth', 'key,oidc', '--oidc-issuer', issuer, '--oidc-client-id', 'footnote',
        '--oidc-client-secret-file', `${SCRATCH}/secret`, '--oidc-scopes', 'groups,email',
        '--oidc-groups', 'students=heat:reader,staff=heat:editor,staff=nowhere:reader',
        '--admin-users', 'root', '--admin-claim', 'groups=admins', ...more],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, HOME: SCRATCH } });
    children.push(child);
    const log = [];
    child.stderr.on('data', (d) => log.push(d));
    return new Promise((then, fail) => {
        child.stdout.once('data', (d) => then({ url: `${d}`.match(/http:\S+/)[0], log }));
        child.once('exit', () => fail(new Error(`${name} ends: ${log.join('')}`)));
    });
}

// ---- A browser ------------------------------------------------------------------

/** Cookies by host and port; redirects are followed by hand. */
class Browser {
    jar = new Map();
    cookies(url) { return (this.jar.get(new URL(url).host) ?? this.jar.set(new URL(url).host, new Map()).get(new URL(url).host)); }
    async ask(url, options = {}) {
        const jar = this.cookies(url);
        const response = await fetch(url, {
            redirect: 'manual', ...options,
            headers: { cookie: [...jar].map(([k, v]) => `${k}=${v}`).join('; '), ...options.headers },
        });
        for (const line of response.headers.getSetCookie()) {
            const [, name, value] = line.match(/^([^=]+)=([^;]*)/);
            if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(line) || !value) jar.delete(name);
            else jar.set(name, value);
        }
        return response;
    }
    /** As behind one address: fetch() sets Host itself. Where it is led. */
    async askAs(url, host) {
        const cookie = [...this.cookies(url)].map(([k, v]) => `${k}=${v}`).join('; ');
        const response = await new Promise((then, fail) => {
            get(url, { headers: { host, cookie } }, then).on('error', fail);
        });
        response.resume();
        for (const line of response.headers['set-cookie'] ?? []) {
            const [, name, value] = line.match(/^([^=]+)=([^;]*)/);
            this.cookies(url).set(name, value);
        }
        return response.headers.location;
    }
    async json(method, url, body) {
        const response = await this.ask(url, {
            method, body: body && JSON.stringify(body),
            headers: body ? { 'content-type': 'application/json' } : {},
        });
        const text = await response.text();
        return { status: response.status, value: text ? JSON.parse(text) : null };
    }
    /** Follows until the provider sends it back; the address that it is sent to. */
    async leave(site, who, to = '/c/x?y=1#ref-2') {
        let response = await this.ask(`${site}/api/oidc/start?to=${encodeURIComponent(to)}`);
        same(response.status, 303);
        for (let i = 0; i < 20; i++) {
            const where = new URL(response.headers.get('location') ?? '', response.url).href;
            if (where.startsWith(`${site}/`) || !response.headers.get('location')) return where;
            response = await this.ask(where);
            if (response.status >= 400) throw new Error(await response.text());
            if (response.status !== 200) continue;
            const page = await response.text();
            const action = page.match(/action="([^"]+)"/)[1];
            const prompt = page.match(/name="prompt" value="(\w+)"/)[1];
            response = await this.ask(new URL(action, response.url), {
                method: 'POST', body: new URLSearchParams({ prompt, login: who, password: 'x' }),
            });
        }
        throw new Error('the provider never sends it back');
    }
    /** Signs in; where it lands. */
    async signIn(site, who, to) {
        const response = await this.ask(await this.leave(site, who, to));
        same(response.status, 303);
        return response.headers.get('location');
    }
    async me(site) { return (await this.json('GET', `${site}/api/me`)); }
}

const failed = (where) => match(where, /[?&]signin=failed/);
async function nobody(browser, site) { same((await browser.me(site)).status, 401); }
async function somebody(site, who) {
    const browser = new Browser();
    same(await browser.signIn(site, who, '/'), '/');
    return browser;
}

// ---- Cases ----------------------------------------------------------------------

function cases(engine, op, a, b) {
    const { state } = op;
    /** The token is changed; nobody is let in. */
    const refuses = (name, change) => test(`${engine} oidc: ${name} is refused`, async () => {
        const browser = new Browser();
        state.change = change;
        try {
            failed(await browser.signIn(a, 'ann'));
        } finally {
            state.change = null;
        }
        await nobody(browser, a);
    });

    test(`${engine} oidc: one signs in and lands where one was going`, async () => {
        const browser = new Browser();
        people.set('ann', { groups: ['students'] });
        same(await browser.signIn(a, 'ann'), '/c/x?y=1#ref-2');
        const { value } = await browser.me(a);
        same(value.userId, 'ann');
        same(value.auth, 'oidc');
        same(value.admin, false);
        same((await browser.json('GET', `${a}/api/logins`)).value.logins[0].method, 'oidc');
        same([...browser.cookies(a).keys()].join(), 'footnote'); // the other one is gone
    });

    test(`${engine} oidc: the page knows the ways in`, async () => {
        const { value } = await new Browser().json('GET', `${a}/api/login`);
        same(value.key, true);
        same(value.token, false);
        same(value.providers[0].url, '/api/oidc/start');
    });

    test(`${engine} oidc: pages of other hosts are not gone to`, async () => {
        for (const to of ['//evil.example', 'https://evil.example', '/\\evil.example', '/api/logout', '/x\r\ny', '']) {
            const browser = new Browser();
            same(await browser.signIn(a, 'ann', to), '/');
        }
    });

    test(`${engine} oidc: groups make members, and the next sign-in takes them away`, async () => {
        people.set('tom', { groups: [] });
        const owner = await somebody(a, 'tom');
        same((await owner.json('POST', `${a}/api/courses`, { id: 'heat', title: 'Heat' })).status, 201);
        people.set('ben', { groups: ['students', 'staff', 'elsewhere'] });
        let ben = await somebody(a, 'ben');
        const heat = `${a}/api/courses/heat`;
        same((await ben.json('GET', heat)).value.role, 'editor'); // the higher of the two
        const { value } = await owner.json('GET', `${heat}/members`);
        same(JSON.stringify(value.members), JSON.stringify([{ userId: 'ben', role: 'editor', origin: 'oidc' }]));
        people.set('ben', { groups: ['students'] });
        ben = await somebody(a, 'ben');
        same((await ben.json('GET', heat)).value.role, 'reader');
        people.set('ben', {});
        ben = await somebody(a, 'ben');
        same((await ben.json('GET', heat)).status, 404);
        // What a person gave stays, whatever groups say.
        same((await owner.json('PUT', `${heat}/members/ben`, { role: 'reader' })).status, 200);
        people.set('ben', { groups: ['staff'] });
        ben = await somebody(a, 'ben');
        same((await ben.json('GET', heat)).value.role, 'reader');
        people.set('ben', {});
        ben = await somebody(a, 'ben');
        same((await ben.json('GET', heat)).value.role, 'reader');
    });

    test(`${engine} oidc: a name or a claim makes an admin, at this sign-in`, async () => {
        people.set('eve', { groups: ['admins'] });
        people.set('root', {});
        const eve = await somebody(a, 'eve');
        same((await eve.me(a)).value.admin, true);
        same((await eve.json('GET', `${a}/api/keys`)).status, 200);
        same((await (await somebody(a, 'root')).me(a)).value.admin, true);
        people.set('eve', { groups: 'adminsx' });
        same((await (await somebody(a, 'eve')).me(a)).value.admin, false);
    });

    test(`${engine} oidc: another state is refused`, async () => {
        const browser = new Browser();
        const back = new URL(await browser.leave(a, 'ann'));
        back.searchParams.set('state', 'A'.repeat(43));
        failed((await browser.ask(back)).headers.get('location'));
        await nobody(browser, a);
    });

    test(`${engine} oidc: the address of somebody else's return is refused`, async () => {
        const victim = new Browser();
        const back = await new Browser().leave(a, 'ann');
        failed((await victim.ask(back)).headers.get('location'));
        await victim.leave(a, 'ann'); // on a trip of their own
        failed((await victim.ask(back)).headers.get('location'));
        await nobody(victim, a);
    });

    test(`${engine} oidc: a return is taken once`, async () => {
        const browser = new Browser();
        const back = await browser.leave(a, 'ann');
        const trip = new Map(browser.cookies(a));
        same((await browser.ask(back)).headers.get('location'), '/c/x?y=1#ref-2');
        failed((await browser.ask(back)).headers.get('location')); // without the cookie
        const copy = new Browser();
        for (const [k, v] of trip) copy.cookies(a).set(k, v);
        failed((await copy.ask(back)).headers.get('location')); // and with it
        await nobody(copy, a);
    });

    test(`${engine} oidc: another issuer's answer is refused`, async () => {
        for (const iss of ['https://evil.example', null]) {
            const browser = new Browser();
            const back = new URL(await browser.leave(a, 'ann'));
            if (iss) back.searchParams.set('iss', iss);
            else back.searchParams.delete('iss');
            const before = state.tokens;
            failed((await browser.ask(back)).headers.get('location'));
            same(state.tokens, before); // the code is not given to anybody
        }
    });

    test(`${engine} oidc: who says no at the provider comes back to the page`, async () => {
        const browser = new Browser();
        const back = new URL(await browser.leave(a, 'ann'));
        back.searchParams.delete('code');
        back.searchParams.set('error', 'access_denied');
        same((await browser.ask(back)).headers.get('location'), '/c/x?y=1&signin=failed#ref-2');
        await nobody(browser, a);
    });

    refuses('a token with another nonce', (c) => { c.nonce = 'x'; });
    refuses('a token without a nonce', (c) => { delete c.nonce; });
    refuses('a token of another issuer', (c) => { c.iss = 'https://evil.example'; });
    refuses('a token for another audience', (c) => { c.aud = 'another'; });
    refuses('a token for several, made for another', (c) => { c.aud = ['footnote', 'another']; c.azp = 'another'; });
    refuses('a token for several that names none', (c) => { c.aud = ['footnote', 'another']; delete c.azp; });
    refuses('an expired token', (c) => { c.exp = Math.floor(Date.now() / 1000) - 120; });
    refuses('a token without an end', (c) => { delete c.exp; });
    refuses('an unsigned token', (_, h) => { h.alg = 'none'; delete h.kid; });
    refuses('a token by a key that is not theirs', async (_, h) => {
        h.kid = 'one';
        return (await generateKeyPair('ES256')).privateKey;
    });
    refuses('a token by the secret', (_, h) => {
        h.alg = 'HS256';
        delete h.kid;
        return new TextEncoder().encode('a secret: 100% +&=/ unsafe');
    });
    refuses('a user called *', (c) => { c.sub = '*'; });
    refuses('a name that hides in a list', (c) => { c.sub = 'a\u202Eb'; });

    test(`${engine} oidc: tokens by new keys are taken at once`, async () => {
        await op.rotate('two');
        const browser = await somebody(a, 'ann');
        same((await browser.me(a)).value.userId, 'ann');
        await op.rotate('one');
        await somebody(a, 'ann');
    });

    test(`${engine} oidc: signing out ends it on every node, and at the provider`, async () => {
        const browser = await somebody(a, 'ann');
        const there = new Browser(); // the same cookie at the other node
        for (const [k, v] of browser.cookies(a)) there.cookies(b).set(k, v);
        same((await there.me(b)).value.userId, 'ann');
        const out = await browser.json('POST', `${a}/api/logout`, {});
        same(out.status, 200);
        match(out.value.logoutUrl, new RegExp(`^${op.issuer}/session/end\\?`));
        await nobody(there, b);
        same((await browser.ask(out.value.logoutUrl)).status, 200); // it asks, and knows us
    });

    if (a !== b)
        test(`${engine} oidc: one may leave from one node and come back to another`, async () => {
            const browser = new Browser();
            const back = new URL(await browser.leave(a, 'ann'));
            for (const [k, v] of browser.cookies(a)) browser.cookies(b).set(k, v);
            const where = await browser.askAs(`${b}${back.pathname}${back.search}`, new URL(a).host);
            same(where, '/c/x?y=1#ref-2');
            same((await browser.me(b)).value.userId, 'ann');
        });
}

// ---- All of it --------------------------------------------------------------------

writeFileSync(`${SCRATCH}/secret`, 'a secret: 100% +&=/ unsafe\n', { mode: 0o600 });
const provider = await startProvider();
const database = `postgres:///postgres?host=${TEST_POSTGRES}&user=postgres`;
const lite = await start('lite', provider.issuer);
const one = await start('one', provider.issuer, '--database', database, '--node-name', 'one');
const two = await start('two', provider.issuer, '--database', database, '--node-name', 'two');
provider.serve([lite.url, one.url, two.url]);
cases('sqlite', provider, lite.url, lite.url);
cases('postgres', provider, one.url, two.url);
const fine = await runAll(process.argv.slice(2));
for (const child of children) child.kill();
provider.stop();
if (!fine) console.log([lite, one].map((s) => s.log.join('').split('\n').slice(-12).join('\n')).join('\n---\n'));
process.exit(fine ? 0 : 1);
