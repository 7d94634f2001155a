// What a saved answer says of its sentences that are not carried: a quote below it.
import type { AnyMessage, CitedMessage } from '@footnote/client';
import type { Locale } from '../i18n/index.ts';
import { reasonOf, textOf } from './verdict_text.ts';
import { isExceptional, verdictLabel, verdictsOf } from './verdicts.ts';

/** Nothing in it becomes a heading, a link or a footnote. */
const escape = (text: string) => text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#|~]/g, '\\$&');

/** null: all is carried, or nothing was judged. */
export function remarkOf(message: AnyMessage, t: Locale['t']): string | null {
  const said = message as unknown as CitedMessage;
  const record = verdictsOf(said);
  const exceptions = record?.sentences.filter(isExceptional) ?? [];
  if (!record || !exceptions.length) return null;
  return [`> ${t('sentencesCarried', { carried: record.carried, of: record.of })}:`, '>',
    ...exceptions.map((s) => {
      const reason = reasonOf(s, said.content, t);
      return `> - ${verdictLabel(s.verdict, t)}: “${escape(textOf(said.content, s))}”${reason ? ` (${escape(reason)})` : ''}`;
    })].join('\n');
}
