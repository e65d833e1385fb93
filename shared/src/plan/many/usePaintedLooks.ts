import { useEffect, useMemo, useState } from 'react'
import type { MapDevice } from '../../contract/device/device.schema'
import { iconVariants } from '../../contract/product/iconName'
import { getTypePicture, type TypeLooks } from '../typeLooks'
import { maxLooks } from './lampMarks'
import type { PaintedLook } from './painter'

/** Numbers the looks of the types on this floor and loads their pictures; each loaded picture gives a new list. */
export function usePaintedLooks(lights: MapDevice[], looks: TypeLooks) {
  const types = useMemo(() => {
    const usedTypes = new Set(lights.map(({ productType }) => productType))
    return [...usedTypes]
      .filter((code) => looks.get(code)?.color || looks.get(code)?.pictures)
      .slice(0, maxLooks - 1)
  }, [lights, looks])
  const lookNumbers = useMemo(() => new Map(types.map((code, index) => [code, index + 1])), [types])
  const [images, setImages] = useState<ReadonlyMap<string, HTMLImageElement>>(new Map())
  useEffect(() => {
    let isUnmounted = false
    const sources = types.flatMap((code) =>
      iconVariants.map((variant) => getTypePicture(looks.get(code)!, variant).src),
    )
    for (const src of new Set(sources)) {
      if (!src) continue
      const image = new Image()
      image.onload = () =>
        !isUnmounted && setImages((previous) => new Map(previous).set(src, image))
      image.src = src
    }
    return () => {
      isUnmounted = true
    }
  }, [types, looks])
  const paintedLooks = useMemo(
    () => [
      undefined,
      ...types.map((code): PaintedLook => {
        const look = looks.get(code)!
        const pictures: PaintedLook['pictures'] = {}
        for (const variant of iconVariants) {
          const { src, isOwn } = getTypePicture(look, variant)
          const image = src && images.get(src)
          if (image) pictures[variant] = { image, isOwn }
        }
        return { color: look.color, pictures }
      }),
    ],
    [types, looks, images],
  )
  return { numberOf: lookNumbers, painted: paintedLooks }
}
