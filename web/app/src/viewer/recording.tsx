// A recording at the cited second, with its transcript.
import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent } from 'react';
import { clock, type Cue } from '@footnote/client';
import { Passage } from '../cite/passage.tsx';
import { titleOf } from '../cite/source_text.ts';
import { fileUrl, useTranscript } from '../data/documents.ts';
import { useLocale } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';
import { ViewerHead } from './viewer_head.tsx';
import { MapBar } from './map_bar.tsx';
import type { ViewProps } from './view_props.ts';

const overlaps = (c: Cue, from: number, to: number) => c.start < to && c.end > from;

function Cues({ cues, from, to, now, onSeek }: {
  cues: Cue[]; from: number; to: number; now: number | null; onSeek: (s: number) => void;
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
      {cues.map((c, i) => (
        <li key={c.start}>
          <button type="button" className="cue" tabIndex={i === stop ? 0 : -1} onClick={() => onSeek(c.start)}
            aria-current={isCurrent(c) ? 'true' : undefined}>
            <time>{clock(c.start)}</time><span dir="auto">{c.text}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

export function RecordingView({ source, document, version, note, claim, siblings, onOpen }: ViewProps) {
  const { t, words } = useLocale();
  const id = (source.documentId ?? source.lectureId)!;
  const from = source.startSeconds ?? 0;
  const to = source.endSeconds ?? from + 1;
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
  // An element loads from its creation on, which may be before React listens.
  const beginIfLoaded = useEffectEvent(() => {
    const el = media.current;
    if (el && el.readyState >= HTMLMediaElement.HAVE_METADATA) begin(el);
  });
  useEffect(() => {
    beginIfLoaded();
  }, []);

  return (
    <>
      <ViewerHead source={source} document={document} version={version} facts={[words.labels.kinds.lecture, length && clock(length)]}>
        {!broken && (
          <button type="button" className="button outlined" onClick={() => seek(from)}>
            <Icon name="play" />{t('fromSecond', { at: clock(from) })}</button>
        )}
      </ViewerHead>
      {broken ? <p className="note" role="note">{t(failed ? 'noRecording' : 'onlyWords')}</p> : (
        <video ref={media} className={sound ? 'sound' : undefined} controls preload="metadata"
          src={`${fileUrl(id, 'media', version)}#t=${from}`}
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
        ? <Cues cues={transcript.value.cues} from={from} to={to} now={now} onSeek={(s) => seek(s)} />
        : transcript.state !== 'loading' &&
          <blockquote className="quote" dir="auto"><Passage source={source} claim={claim} /></blockquote>}
      {note}
    </>
  );
}
