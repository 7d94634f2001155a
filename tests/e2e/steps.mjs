// steps.mjs - what a user does with the app; elements are found by role and name.

export const question = (page) => page.getByRole('textbox', { name: 'Question', exact: true });
export const answers = (page) => page.getByRole('article', { name: 'Answer' });
export const chip = (page, n) =>
  answers(page).last().getByRole('link', { name: new RegExp(`^Reference ${n}[:,]`) }).first();
export const panel = (page) => page.getByRole('complementary', { name: 'References' });

/** Hovers until `shown` is visible: a layout change can move the target away. */
export async function pointAt(page, target, shown) {
  for (let tries = 20; ; tries--) {
    await target.hover();
    try {
      return await shown.waitFor({ timeout: 3000 });
    } catch (e) {
      if (tries === 0) throw e;
      await page.mouse.move(1, 1);
    }
  }
}

export async function signIn(page, secret) {
  await page.getByLabel('Key or token').fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

export async function ask(page, text) {
  await question(page).fill(text);
  await question(page).press('Enter');
}

/** Adds files by the menu. */
export async function addFiles(page, files) {
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'),
    page.getByRole('menuitem', { name: 'Add files' }).click()]);
  await chooser.setFiles(files);
}

/** Opens the documents of a course; returns their dialog. */
export async function openCourse(page, title) {
  await page.getByRole('button', { name: /^Where to look/ }).click();
  await page.getByRole('menuitemradio', { name: title }).click();
  await page.getByRole('button', { name: /^Where to look/ }).click();
  await page.getByRole('menuitem', { name: /^Documents of this/ }).click();
  return page.getByRole('dialog', { name: title });
}

/** Waits until the last answer is complete.  Polls, because checking with every
 *  frame would make the browser draw frames. */
export async function answered(page, n = 1, options = {}) {
  await page.waitForFunction((want) => {
    const all = document.querySelectorAll('.answer');
    const last = all[all.length - 1];
    return all.length >= want && last.getAttribute('aria-busy') === 'false' && last.querySelector('.tools');
  }, n, { polling: 100, ...options });
}

/** The references of an answer as data, without highlights. */
export const shownReferences = (page) => page.locator('.references').first().evaluate((root) => {
  for (const d of root.querySelectorAll('details')) d.open = true;
  return [...root.querySelectorAll('.reference')].map((el) => ({
    cited: !el.closest('details'),
    title: el.querySelector('h3').textContent,
    places: [...el.querySelectorAll('.locator')].map((b) => b.textContent),
    quote: el.querySelector('blockquote')?.textContent ?? null,
    download: el.querySelector('a')?.getAttribute('href') ?? null,
  }));
});

/** The text of the last answer as shown, its chips as [n]. */
export const shownAnswer = (page) => page.locator('.answer .prose').last().evaluate((root) => {
  const copy = root.cloneNode(true);
  for (const el of copy.querySelectorAll('.said-nowhere')) el.remove();
  for (const el of copy.querySelectorAll('.fn-chip[data-n]')) el.replaceWith(`[${el.dataset.n}]`);
  return copy.textContent.replaceAll('\u2060', '');
});
