import { useEffect, useMemo, useState } from 'react'
import type { MapDevice } from '../../contract/device'
import { iconVariants } from '../../contract/iconName'
import { pictureOf, type TypeLooks } from '../typeLooks'
import { looksMost, type PaintedLook } from './painter'

/** Numbers the looks of the types on this floor and loads their pictures; each loaded picture gives a new list. */
export function usePaintedLooks(lights: MapDevice[], looks: TypeLooks) {
  const types = useMemo(() => {
    const here = new Set(lights.map(({ productType }) => productType))
    return [...here]
      .filter((code) => looks.get(code)?.color || looks.get(code)?.pictures)
      .slice(0, looksMost - 1)
  }, [lights, looks])
  const numberOf = useMemo(() => new Map(types.map((code, n) => [code, n + 1])), [types])
  const [images, setImages] = useState<ReadonlyMap<string, HTMLImageElement>>(new Map())
  useEffect(() => {
    let isGone = false
    const sources = types.flatMap((code) =>
      iconVariants.map((variant) => pictureOf(looks.get(code)!, variant).src),
    )
    for (const src of new Set(sources)) {
      if (!src) continue
      const image = new Image()
      image.onload = () => !isGone && setImages((before) => new Map(before).set(src, image))
      image.src = src
    }
    return () => {
      isGone = true
    }
  }, [types, looks])
  const painted = useMemo(
    () => [
      undefined,
      ...types.map((code): PaintedLook => {
        const look = looks.get(code)!
        const pictures: PaintedLook['pictures'] = {}
        for (const variant of iconVariants) {
          const { src, isOwn } = pictureOf(look, variant)
          const image = src && images.get(src)
          if (image) pictures[variant] = { image, isOwn }
        }
        return { color: look.color, pictures }
      }),
    ],
    [types, looks, images],
  )
  return { numberOf, painted }
}
