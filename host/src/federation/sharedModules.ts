/// <reference types="webpack/module" />
import type { ModuleFederation } from '@module-federation/runtime'
import * as AntdIcon from '@ant-design/icons/es/components/AntdIconLight'
import dayjs from 'dayjs'
import * as jotai from 'jotai'
import * as jotaiUtils from 'jotai/utils'
import * as react from 'react'
import * as jsxRuntime from 'react/jsx-runtime'
import * as reactDom from 'react-dom'
import { common } from './eagerModules'
import * as router from './routerParts'

type Lazy = { (id: string): Promise<unknown>; keys(): string[] }
type Eager = { (id: string): unknown; keys(): string[] }

/** Turns `./table/index.js` into `antd/es/table`, the name that remotes import. */
const toModuleName = (prefix: string, id: string) =>
  prefix + id.slice(2).replace(/\/index\.js$|\.tsx?$/, '')
const listLoaders = (context: Lazy, prefix: string) =>
  Object.fromEntries(context.keys().map((id) => [toModuleName(prefix, id), () => context(id)]))
const listModules = (context: Eager, prefix: string) =>
  Object.fromEntries(context.keys().map((id) => [toModuleName(prefix, id), context(id)]))

// Each component of antd loads separately; the hooks are small and load together.
const lazyModules: Record<string, () => Promise<unknown>> = {
  ...listLoaders(
    import.meta.webpackContext('antd/es', {
      mode: 'lazy',
      // antd's App has no provider here; `@iot/shared/ui/feedback` takes its place.
      regExp: /^\.\/(?!app\/)[a-z-]+\/index\.js$/,
    }) as Lazy,
    'antd/es/',
  ),
  ...listLoaders(
    import.meta.webpackContext('ahooks/es', {
      mode: 'lazy-once',
      regExp: /^\.\/use\w+\/index\.js$/,
    }) as Lazy,
    'ahooks/es/',
  ),
  ...listLoaders(
    import.meta.webpackContext('../../../shared/src/ui', {
      mode: 'lazy',
      regExp: /^\.\/\w+\.tsx$/,
    }) as Lazy,
    '@iot/shared/ui/',
  ),
  ...listLoaders(
    import.meta.webpackContext('../../../shared/src/plan', {
      mode: 'lazy',
      regExp: /^\.\/\w+\.tsx$/,
    }) as Lazy,
    '@iot/shared/plan/',
  ),
  ...listLoaders(
    import.meta.webpackContext('../../../shared/src/control', {
      mode: 'lazy',
      regExp: /^\.\/\w+\.tsx$/,
    }) as Lazy,
    '@iot/shared/control/',
  ),
}

const eagerModules: Record<string, unknown> = {
  react,
  'react/jsx-runtime': jsxRuntime,
  'react-dom': reactDom,
  'react-router': router,
  'react-router-dom': router,
  jotai,
  'jotai/utils': jotaiUtils,
  dayjs,
  '@ant-design/icons/es/components/AntdIconLight': AntdIcon,
  ...listModules(
    import.meta.webpackContext('../../../shared/src/session', {
      mode: 'sync',
      regExp: /^\.\/\w+\.ts$/,
    }) as Eager,
    '@iot/shared/session/',
  ),
  ...listModules(
    import.meta.webpackContext('../../../shared/src/client', {
      mode: 'sync',
      regExp: /^\.\/\w+\.ts$/,
    }) as Eager,
    '@iot/shared/client/',
  ),
  ...common,
}

/** Lists the modules that the host shares. Remotes have no copies, so each module exists exactly once. */
export function createSharedModules(instance: () => ModuleFederation) {
  // The release record says which versions are compatible, so the runtime gets one constant version.
  const version = '0.0.0'
  const shareConfig = { singleton: true, requiredVersion: false as const }
  const createShare = (key: string, get: () => Promise<() => unknown>) =>
    [key, { version, shareConfig, get }] as const
  return Object.fromEntries([
    ...Object.entries(lazyModules)
      .filter(([key]) => !(key in eagerModules))
      .map(([key, load]) =>
        createShare(key, () =>
          load().then(
            (module) => () => module,
            (error: unknown) => {
              // The runtime would otherwise keep the rejected promise as long as the page lives.
              delete instance().shareScopeMap.default?.[key]?.[version]?.loading
              throw error
            },
          ),
        ),
      ),
    ...Object.entries(eagerModules).map(([key, module]) =>
      createShare(key, async () => () => module),
    ),
  ])
}
