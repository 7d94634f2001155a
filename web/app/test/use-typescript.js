// Lets node import the app's TypeScript, for tests:
//
//     node --import ./app/test/use-typescript.js --test app/test/*.test.js
import { register } from 'node:module';

register('./typescript-hooks.js', import.meta.url);
