// sdk.js - the only file that knows the AI SDK: versions 5, 6 and 7.
//
// Their differences end here: the rest of this package sees messages, a status
// and five functions.
import { useChat } from '@ai-sdk/react';

export function useSdkChat({ id, transport, throttle, onFinish, onError }) {
  return useChat({
    id,
    transport,
    onFinish,
    onError,
    throttle, // since 7
    experimental_throttle: throttle,
  });
}
