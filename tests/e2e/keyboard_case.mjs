// keyboard_case.mjs - numbers, previews and the pane without a pointer, and by
// fingers: what is reached, where the focus goes, what one Escape closes.
import { equal, ok, test } from './case.mjs';
import { phone } from './browser.mjs';
import { answered, answers, panel } from './steps.mjs';

const viewerOf = (page) => page.getByRole('region', { name: 'Evidence' });
const number = (page, n) => answers(page).first().getByRole('link', { name: new RegExp(`^Reference ${n}[:,]`) });
const hasFocus = (locator) => locator.evaluate((el) => el === document.activeElement);
const holdsFocus = (locator) => locator.evaluate((el) => el.contains(document.activeElement));

async function openChat(w, options) {
  const page = await w.open('/c/demo-entropy', options);
  await answered(page, 2);
  return page;
}
/** The first number has the focus, as the keyboard brings it. */
async function focusNumber(page) {
  await page.getByRole('log').focus();
  await page.keyboard.press(']');
  ok(await hasFocus(number(page, 1)), 'the first number has no focus');
}

test('keyboard: the buttons of a preview are reached by Tab, and left by it', {}, async (w) => {
  const page = await openChat(w);
  await focusNumber(page);
  const preview = page.getByRole('dialog', { name: /^Reference 1:/ });
  await preview.waitFor();
  const names = [];
  for (let i = 0; i < 3; i++) {
    await page.keyboard.press('Tab');
    names.push(await page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent));
  }
  equal(names, ['Open at slide 7', 'Download document', 'Copy reference'], 'what Tab reaches');
  await page.keyboard.press('Tab');
  ok(await hasFocus(number(page, 2)), 'Tab does not go on to the next number');
  await page.getByRole('dialog', { name: /^Reference 2:/ }).waitFor();
  await page.keyboard.press('Shift+Tab');
  await preview.waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  ok(await hasFocus(number(page, 1)), 'Shift Tab does not go back to the number');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Escape');
  await preview.waitFor({ state: 'detached' });
  ok(await hasFocus(number(page, 1)), 'Escape does not go back to the number');
});

test('keyboard: Enter on a number goes into the pane, Escape back to it', {}, async (w) => {
  const page = await openChat(w);
  await focusNumber(page);
  await page.keyboard.press('Enter');
  await viewerOf(page).getByText('7 / 30').waitFor();
  ok(await holdsFocus(panel(page)), 'the focus is not in the pane');
  await page.keyboard.press('Tab');
  ok(await holdsFocus(panel(page)), 'Tab leaves the pane');
  await page.keyboard.press('Escape');
  ok(await hasFocus(number(page, 1)), 'the focus is not on the number');
  ok(await panel(page).isVisible(), 'Escape has closed the pane');
  equal(await page.locator('.preview').count(), 0, 'previews');
  // From the preview's button, too.
  await page.keyboard.press(']');
  await page.getByRole('dialog', { name: /^Reference 2:/ }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await viewerOf(page).getByText('5 / 30').waitFor();
  ok(await holdsFocus(panel(page)), 'from the preview: the focus is not in the pane');
  await page.keyboard.press('Escape');
  ok(await hasFocus(number(page, 2)), 'from the preview: the focus is not on the number');
});

test('keyboard: a click on a number leaves the focus where it is', {}, async (w) => {
  const page = await openChat(w);
  await number(page, 1).click();
  await viewerOf(page).getByText('7 / 30').waitFor();
  ok(!await holdsFocus(panel(page)), 'the pane has taken the focus');
});

test('keyboard: one Escape closes one thing', {}, async (w) => {
  const page = await openChat(w);
  await focusNumber(page);
  await page.keyboard.press('Enter');
  await viewerOf(page).getByText('7 / 30').waitFor();
  await panel(page).getByRole('button', { name: 'Fill the window' }).press('Enter');
  await page.keyboard.press('Control+f');
  const isFull = () => panel(page).evaluate((el) => el.offsetWidth === innerWidth);
  await viewerOf(page).getByRole('searchbox').waitFor();
  await page.keyboard.press('Escape');
  await viewerOf(page).getByRole('searchbox').waitFor({ state: 'detached' });
  ok(await isFull(), 'the first Escape has left the full window');
  await page.keyboard.press('Escape');
  ok(!await isFull(), 'the second Escape has not left the full window');
  ok(await holdsFocus(panel(page)), 'the second Escape has left the pane');
  await page.keyboard.press('Escape');
  ok(await hasFocus(number(page, 1)), 'the third Escape has not gone back');

  // A menu over the pane.
  await panel(page).getByRole('button', { name: 'Next page' }).focus();
  await page.getByRole('button', { name: 'Export' }).press('Enter');
  await page.getByRole('menu').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'hidden' });
  // A preview over a question that is edited.
  await page.getByRole('button', { name: 'Edit' }).first().press('Enter');
  const field = page.getByRole('textbox', { name: 'Change your question' });
  await field.waitFor();
  await number(page, 1).hover();
  await page.getByRole('dialog', { name: /^Reference 1:/ }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.preview').waitFor({ state: 'detached' });
  ok(await field.isVisible(), 'Escape has closed the preview and the edit');
});

test('keyboard: Escape closes a menu of the rail and not the rail', {}, async (w) => {
  const page = await openChat(w, { viewport: { width: 1000, height: 700 } });
  await page.getByRole('button', { name: 'Open the list of conversations' }).press('Enter');
  const rail = page.getByRole('navigation', { name: 'Conversations' });
  await rail.getByRole('button', { name: /^Options for/ }).first().press('Enter');
  await page.getByRole('menu').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'hidden' });
  ok(await rail.evaluate((el) => el.classList.contains('open')), 'the rail is closed with its menu');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('.rail.open'));
});

/** Controls that are smaller than a finger, but for numbers in a text. */
const smallTargets = (page) => page.evaluate(() =>
  [...document.querySelectorAll('button, a[href], summary, input, textarea, select, [role=separator], [role^=menuitem]')]
    .filter((el) => el.checkVisibility({ visibilityProperty: true }) && !el.matches('.fn-chip, .skip, .prose a, [type=file]') &&
      !el.closest('[inert]'))
    .map((el) => [el, el.getBoundingClientRect()])
    .filter(([, r]) => r.width > 0 && (r.height < 43.5 || r.width < 43.5))
    .map(([el, r]) => `${el.getAttribute('aria-label') ?? el.textContent.trim()} ${Math.round(r.width)}x${Math.round(r.height)}`));

test('keyboard: on touch every target has 44 pixels', {}, async (w) => {
  const page = await openChat(w, phone);
  const small = { chat: await smallTargets(page) };
  await number(page, 1).tap();
  const sheet = page.getByRole('dialog', { name: 'References' });
  await sheet.getByRole('button', { name: 'Find in this document' }).tap();
  await sheet.getByRole('searchbox').waitFor();
  small.sheet = await smallTargets(page);
  await sheet.getByRole('button', { name: 'References' }).tap();
  await sheet.locator('details summary').first().tap();
  small.list = await smallTargets(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Open the list of conversations' }).tap();
  await page.getByRole('navigation', { name: 'Conversations' }).getByRole('link').first().waitFor();
  small.rail = await smallTargets(page);
  equal(small, { chat: [], sheet: [], list: [], rail: [] }, 'targets that are too small');
  const tablet = await openChat(w, { viewport: { width: 1180, height: 820 }, hasTouch: true, isMobile: true });
  await number(tablet, 1).tap();
  await viewerOf(tablet).getByText('7 / 30').waitFor();
  equal(await smallTargets(tablet), [], 'on a tablet');
});
