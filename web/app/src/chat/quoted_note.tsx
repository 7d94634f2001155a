// Below an answer that was made without a model: what it is, and how to connect
// one.  What wrote an answer is stored with it and stays true when that changes.
import type { CitedMessage } from '@footnote/client';
import { EXTRACTIVE } from '../data/extractive.ts';
import { isWithoutModel } from '../data/models.ts';
import { useStore } from '../data/store.ts';
import { useLocale } from '../i18n/index.ts';
import { me } from '../shell/me.ts';

const EXAMPLE = 'footnote serve --model-url http://127.0.0.1:11434/v1 --model llama3.1';

export function QuotedNote({ message }: { message: CitedMessage }) {
  const { t } = useLocale();
  const withoutModel = useStore(isWithoutModel);
  const user = useStore(me);
  if (message.model !== EXTRACTIVE) return null;
  const runsServer = user?.auth === 'none' || user?.admin;
  return (
    <div className="quoted-note" role="note">
      <p>{t('quoted')} {withoutModel && !runsServer && t('noModel')}</p>
      {withoutModel && runsServer && (
        <details>
          <summary>{t('connectModel')}</summary>
          <p>{t('connectModelDo')}</p>
          <pre dir="ltr" tabIndex={0}><code>{EXAMPLE}</code></pre>
        </details>
      )}
    </div>
  );
}
