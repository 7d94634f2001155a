// What one may do with a document.
import { readerLink, type LibraryDocument } from '@footnote/client';
import { fileUrl } from '../data/documents.ts';
import { goTo } from '../router.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx';
import { nameOf } from './facts.ts';
import { useWords, type TextKey } from './words/index.ts';

export type Action = 'ask' | 'rename' | 'move' | 'replace' | 'again' | 'entry' | 'delete';

interface Props {
  of: LibraryDocument;
  mayEdit: boolean;
  /** By Tab: only in the row where the keyboard is. */
  reachable: boolean;
  onAction: (action: Action, of: LibraryDocument) => void;
}

export function RowMenu({ of, mayEdit, reachable, onAction }: Props) {
  const { w } = useWords();
  const items: Array<[Action, TextKey, IconName, boolean]> = [
    ['ask', 'ask', 'spark', of.searchableVersion !== null],
    ['entry', 'editEntry', 'journal', mayEdit && of.kind === 'journal'],
    ['rename', 'rename', 'edit', mayEdit],
    ['move', 'move', 'forth', mayEdit],
    ['replace', 'replace', 'up', mayEdit && of.kind !== 'page' && of.kind !== 'journal'],
    ['again', 'readAgain', 'retry', mayEdit && of.status === 'failed'],
  ];
  return (
    <Menu tabIndex={reachable ? 0 : -1} className="icon-button" label={w('menuOf', { name: nameOf(of) })} trigger={<Icon name="dots" />}>
      {(close) => (
        <>
          <MenuItem onSelect={() => { close(); goTo(readerLink({ documentId: of.id })); }}><Icon name="books" />{w('read')}</MenuItem>
          {items.filter(([, , , may]) => may).map(([action, text, icon]) => (
            <MenuItem key={action} onSelect={() => { close(); onAction(action, of); }}><Icon name={icon} />{w(text)}</MenuItem>
          ))}
          {of.bytes !== null && <MenuItem href={fileUrl(of.id, 'download', null)} onSelect={close}><Icon name="download" />{w('download')}</MenuItem>}
          {mayEdit && <><MenuLine />
            <MenuItem danger onSelect={() => { close(); onAction('delete', of); }}><Icon name="trash" />{w('remove')}</MenuItem></>}
        </>
      )}
    </Menu>
  );
}
