// A recording at the cited second, with its transcript.
import { Fragment, useEffect, useEffectEvent, useRef, useState, type KeyboardEvent } from 'react';
import { clock, type Cue, type Marks } from '@footnote/client';
import { Passage } from '../cite/passage.tsx';
import { titleOf } from '../cite/source_text.ts';
import { fileUrl, useTranscript } from '../data/documents.ts';
import { useLocale } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';
import { ViewerHead } from './viewer_head.tsx';
import { MapBar } from './map_bar.tsx';
import type { ViewProps } from './view_props.ts';

const overlaps = (c: Cue, from: number, to: number) => c.start < to && c.end > from;
type Line = NonNullable<Marks['lines']>[0];

/** What is said in a line, the words of the open claim marked. */
function Said({ text, spans }: { text: string; spans: Array<[number, number]> }) {
  return (
    <span dir="auto">
      {spans.map(([from, to], i) => (
        <Fragment key={from}>{text.slice(spans[i - 1]?.[1] ?? 0, from)}<mark>{text.slice(from, to)}</mark></Fragment>
      ))}
      {text.slice(spans.at(-1)?.[1] ?? 0)}
    </span>
  );
}

function Cues({ cues, from, to, now, lines, at, onSeek }: {
  cues: Cue[]; from: number; to: number; now: number | null; lines: Line[]; at: number; onSeek: (s: number) => void;
}) {
  const { t } = useLocale();
  const ref = useRef<HTMLUListElement>(null);
  const isCurrent = (c: Cue) => (now === null ? overlaps(c, from, to) : overlaps(c, now, now + 0.01));
  // Tab stops once, at the current line; arrow keys go from line to line.
  const stop = Math.max(0, cues.findIndex(isCurrent));
  const move = (e: KeyboardEvent<HTMLElement>) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (!by) return;
    const lines = [...ref.current!.querySelectorAll<HTMLElement>('.cue')];
    e.preventDefault();
    lines[lines.indexOf(document.activeElement as HTMLElement) + by]?.focus();
  };
  const playing = now === null ? -1 : cues.findIndex(isCurrent);
  useEffect(() => {
    const current = ref.current?.querySelector<HTMLElement>('[aria-current]');
    if (current && ref.current) ref.current.scrollTop = current.offsetTop - ref.current.offsetTop - 28;
  }, [from, playing]);
  return (
    <ul className="plain cues" ref={ref} aria-label={t('transcriptOf')} onKeyDown={move}>
      {cues.map((c, i) => {
        const line = lines.find((l) => l.line === i);
        return (
          <li key={i}>
            <button type="button" className={line ? 'cue in-passage' : 'cue'} tabIndex={i === stop ? 0 : -1}
              onClick={() => onSeek(c.start)} aria-current={isCurrent(c) ? 'true' : undefined}>
              <time>{clock(c.start)}</time><Said text={c.text} spans={line?.claims[at] ?? []} />
            </button>
          </li>
        );
      })}
    </ul>
  );
}

export function RecordingView({ source, document, version, note, claims, marks, siblings, onOpen }: ViewProps) {
  const { t, words } = useLocale();
  const id = (source.documentId ?? source.lectureId)!;
  const passageFrom = source.startSeconds ?? 0;
  // The passage begins here or before: what opens is the claim.
  const claim = marks?.claims[claims.at];
  const from = claim?.startSeconds ?? passageFrom;
  const to = claim?.endSeconds ?? source.endSeconds ?? from + 1;
  const media = useRef<HTMLVideoElement>(null);
  const [failed, setFailed] = useState(false);
  const [sound, setSound] = useState(false);
  const [now, setNow] = useState<number | null>(null);
  const transcript = useTranscript(id, version);
  const length = document?.durationSeconds ?? null;
  // A transcript without a recording has nothing to play.
  const broken = failed || document?.hasMedia === false;
  const seek = (seconds: number, play = true) => {
    const el = media.current;
    if (!el) return;
    el.currentTime = seconds;
    if (play) void el.play().catch(() => {});
  };
  const begin = (el: HTMLVideoElement) => {
    setSound(!el.videoWidth);
    seek(from, false);
  };
  // It loads from its creation on, which may be before React listens; the
  // second of the claim may be known later.
  const beginIfLoaded = useEffectEvent(() => {
    const el = media.current;
    if (el && el.readyState >= HTMLMediaElement.HAVE_METADATA && el.paused && now === null) begin(el);
  });
  useEffect(() => {
    beginIfLoaded();
  }, [from]);

  return (
    <>
      <ViewerHead source={source} document={document} version={version} facts={[words.labels.kinds.lecture, length && clock(length)]}>
        {!broken && (
          <button type="button" className="button outlined" onClick={() => seek(from)}>
            <Icon name="play" />{t('fromSecond', { at: clock(from) })}</button>
        )}
      </ViewerHead>
      {broken ? <p className="note" role="note">{t(document?.hasMedia === false ? 'onlyWords' : 'noRecording')}</p> : (
        <video ref={media} className={sound ? 'sound' : undefined} controls preload="metadata"
          src={`${fileUrl(id, 'media', version)}#t=${passageFrom}`}
          aria-label={titleOf(source, words.labels)} playsInline
          onLoadedMetadata={(e) => begin(e.currentTarget)} onError={() => setFailed(true)}
          onTimeUpdate={(e) => setNow(e.currentTarget.paused ? null : e.currentTarget.currentTime)}
          onSeeked={(e) => { if (Math.abs(e.currentTarget.currentTime - from) > 1) setNow(e.currentTarget.currentTime); }} />
      )}
      {length && (
        <MapBar from={0} to={length} here={now} onOpen={onOpen}
          ticks={siblings.filter((s) => s.startSeconds !== null).map((s) => ({
            n: s.chunkNumber, at: s.startSeconds!, current: s === source,
            label: `${words.labels.reference} ${s.chunkNumber}: ${clock(s.startSeconds!)}`,
          }))} />
      )}
      {transcript.value?.cues.length
        ? <Cues cues={transcript.value.cues} from={from} to={to} now={now} lines={marks?.lines ?? []} at={claims.at} onSeek={(s) => seek(s)} />
        : transcript.state !== 'loading' &&
          <blockquote className="quote" dir="auto"><Passage source={source} claims={claims} /></blockquote>}
      {note}
    </>
  );
}
