/// <reference types="webpack/module" />
import type { ModuleFederation } from '@module-federation/runtime'
import * as AntdIcon from '@ant-design/icons/es/components/AntdIconLight'
import dayjs from 'dayjs'
import * as jotai from 'jotai'
import * as jotaiUtils from 'jotai/utils'
import * as react from 'react'
import * as jsxRuntime from 'react/jsx-runtime'
import * as reactDom from 'react-dom'
import { common } from './common'
import * as router from './routerParts'

type Context = { (id: string): Promise<unknown>; keys(): string[] }

/** `./table/index.js` → `antd/es/table`: the names remotes ask for. */
const named = (context: Context, prefix: string, suffix: RegExp) =>
  Object.fromEntries(context.keys().map((id) => [prefix + id.slice(2).replace(suffix, ''), () => context(id)]))

const contexts: Record<string, () => Promise<unknown>> = {
  ...named(import.meta.webpackContext('antd/es', { mode: 'lazy', regExp: /^\.\/[a-z-]+\/index\.js$/ }) as Context, 'antd/es/', /\/index\.js$/),
  ...named(import.meta.webpackContext('ahooks/es', { mode: 'lazy', regExp: /^\.\/use\w+\/index\.js$/ }) as Context, 'ahooks/es/', /\/index\.js$/),
  ...named(import.meta.webpackContext('../../../shared/src/ui', { mode: 'lazy', regExp: /^\.\/\w+\.tsx$/ }) as Context, '@iot/shared/ui/', /\.tsx$/),
  ...named(import.meta.webpackContext('../../../shared/src/session', { mode: 'lazy', regExp: /^\.\/\w+(?<!\.test)\.ts$/ }) as Context, '@iot/shared/session/', /\.ts$/),
  ...named(import.meta.webpackContext('../../../shared/src/client', { mode: 'lazy', regExp: /^\.\/\w+(?<!\.test)\.ts$/ }) as Context, '@iot/shared/client/', /\.ts$/),
}

const atOnce: Record<string, unknown> = {
  react,
  'react/jsx-runtime': jsxRuntime,
  'react-dom': reactDom,
  'react-router': router,
  'react-router-dom': router,
  jotai,
  'jotai/utils': jotaiUtils,
  dayjs,
  '@ant-design/icons/es/components/AntdIconLight': AntdIcon,
  ...common,
}

export const offered = new Set([...Object.keys(contexts), ...Object.keys(atOnce)])

/** What the host brings for everyone. Remotes have no copy of their own, so there is exactly one of each. */
export function sharedModules(instance: () => ModuleFederation) {
  const version = '1.0.0'
  const shareConfig = { singleton: true, requiredVersion: false as const }
  const share = (key: string, get: () => Promise<() => unknown>) => [key, { version, shareConfig, get }] as const
  return Object.fromEntries([
    ...Object.entries(contexts).map(([key, load]) =>
      share(key, () =>
        load().then(
          (module) => () => module,
          (error: unknown) => {
            // The runtime would keep the failed promise for the life of the page.
            delete instance().shareScopeMap.default?.[key]?.[version]?.loading
            throw error
          },
        ),
      ),
    ),
    ...Object.entries(atOnce).map(([key, module]) => share(key, async () => () => module)),
  ])
}
