import useRequest from 'ahooks/es/useRequest'
import { useAtomValue } from 'jotai'
import { useMemo, type CSSProperties } from 'react'
import { call } from '../client/call'
import type { Output } from '../contract/endpoint'
import type { IconVariant } from '../contract/product/iconName'
import type { LightState } from '../contract/control/light'
import { productTypeApi } from '../contract/product/productType.api'
import { toFileUrl } from '../contract/platform/siteAddress'
import { iconVersionAtom } from '../session/looks'

type Option = Output<typeof productTypeApi.list>[number]
/** Look of a product type, as configured. */
export type TypeLook = Pick<Option, 'name' | 'icon' | 'color' | 'pictures'>
/** The looks are keyed by product type code. */
export type TypeLooks = ReadonlyMap<string, TypeLook>

const freshnessMs = 60_000
/** Returns the looks of all types; if they cannot be loaded, devices keep the default look. */
export function useTypeLooks(): TypeLooks {
  const version = useAtomValue(iconVersionAtom)
  const { data } = useRequest(() => call(productTypeApi.list, {}, { quiet: true }), {
    cacheKey: `typeLooks ${version}`,
    staleTime: freshnessMs,
    refreshDeps: [version],
  })
  return useMemo(() => new Map(data?.map((productType) => [productType.code, productType])), [data])
}

/** Returns the picture variant for the state of a light. */
export const getIconVariant = (look: LightState, isFaulty: boolean): IconVariant =>
  look === 'offline' || look === 'inactive'
    ? 'offline'
    : isFaulty
      ? 'fault'
      : look === 'on'
        ? 'on'
        : 'off'

/** Returns the picture of a state; `isOwn` is false if another variant replaces it. */
export function getTypePicture({ pictures }: Pick<TypeLook, 'pictures'>, variant: IconVariant) {
  const ownPicture = pictures?.[variant]
  const picture = ownPicture || pictures?.on
  return { src: picture ? toFileUrl(picture) : undefined, isOwn: !!ownPicture }
}

/** CSS variables that colour a lit lamp in the colour of its type. */
export const createLitStyle = (color: string) =>
  ({
    '--lit': color,
    '--lit-line': `color-mix(in srgb, ${color} 82%, black)`,
  }) as CSSProperties

/** @deprecated Use {@link getIconVariant}; kept for remotes that were built before. */
export const variantOf = getIconVariant

/** @deprecated Use {@link getTypePicture}; kept for remotes that were built before. */
export const pictureOf = getTypePicture

/** @deprecated Use {@link createLitStyle}; kept for remotes that were built before. */
export const litBy = createLitStyle
