// The linter checks how React's hooks are used.  Types and unused names are
// left to the TypeScript compiler.
import parser from '@typescript-eslint/parser';
import hooks from 'eslint-plugin-react-hooks';

const EFFECT = 'CallExpression[callee.name=/^use(Layout|Insertion)?Effect$/]';

export default [
  {
    files: ['app/src/**/*.{ts,tsx}', 'react/src/**/*.js'],
    languageOptions: { parser },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    plugins: { 'react-hooks': hooks },
    rules: {
      'react-hooks/rules-of-hooks': 'error',
      'react-hooks/exhaustive-deps': 'error',
      // React calls what an effect returns.  An expression body returns
      // whatever the last call gave: scrollIntoView() gives a promise today.
      'no-restricted-syntax': ['error', {
        selector: `${EFFECT} > ArrowFunctionExpression[body.type!=` +
          '/^(BlockStatement|ArrowFunctionExpression)$/]',
        message: 'Give the effect a block body, so that it returns only a cleanup function.',
      }],
    },
  },
];
