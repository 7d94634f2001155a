// Lets Back close what lies over the page, while it is mounted and `open`.
import { useEffectEvent, useLayoutEffect } from 'react';
import { pushLayer } from '../router.ts';

export function useLayer(onClose: () => void, open = true) {
  const close = useEffectEvent(onClose);
  useLayoutEffect(() => {
    if (!open) return;
    const removeLayer = pushLayer(() => close());
    return () => removeLayer();
  }, [open]);
}
