import { useRequest } from 'ahooks'
import { useAtomValue } from 'jotai'
import { useMemo, type CSSProperties } from 'react'
import { call } from '../client/call'
import type { Output } from '../contract/endpoint'
import type { IconVariant } from '../contract/iconName'
import type { Look } from '../contract/light'
import { productTypeApi } from '../contract/productType'
import { looksVersionAtom } from '../session/looks'

type Option = Output<typeof productTypeApi.list>[number]
/** What devices of a type look like, as its row says. */
export type TypeLook = Pick<Option, 'name' | 'icon' | 'color' | 'pictures'>
/** By the code of the type. */
export type TypeLooks = ReadonlyMap<string, TypeLook>

const fresh = 60_000
/** Nothing where they did not come: devices are then drawn as they always are. */
export function useTypeLooks(): TypeLooks {
  const version = useAtomValue(looksVersionAtom)
  const { data } = useRequest(() => call(productTypeApi.list, {}, { quiet: true }), {
    cacheKey: `typeLooks ${version}`,
    staleTime: fresh,
    refreshDeps: [version],
  })
  return useMemo(() => new Map(data?.map((one) => [one.code, one])), [data])
}

/** Which state of a light is shown by a picture. */
export const variantOf = (look: Look, isFaulty: boolean): IconVariant =>
  look === 'offline' ? look : isFaulty ? 'fault' : look === 'on' ? 'on' : 'off'

/** The picture of a state; `isOwn`: that of no other state stands for it. */
export function pictureOf({ pictures }: Pick<TypeLook, 'pictures'>, variant: IconVariant) {
  const own = pictures?.[variant]
  return { src: own || pictures?.on || undefined, isOwn: !!own }
}

/** A lit lamp in the colour of its type, for the style sheet. */
export const litBy = (color: string) =>
  ({
    '--lit': color,
    '--lit-line': `color-mix(in srgb, ${color} 82%, black)`,
  }) as CSSProperties
