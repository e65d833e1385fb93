import useMemoizedFn from 'ahooks/es/useMemoizedFn'
import { useEffect } from 'react'
import type { MapDevice } from '../../contract/device/device.schema'
import { useZoom } from '../useZoom'
import { measureDensity, type PlanSize } from '../planSize'
import type { Selection } from './useLightSelection'

/** Zooms the plan so that lamps at an average distance do not cover each other; two fingers never draw. */
export function useLampZoom(size: PlanSize, lampCount: number, isDrawing: Selection['isDrawing']) {
  const { maxUnit: maxLampUnit } = measureDensity(size, lampCount)
  const zoom = useZoom(
    size.width,
    size.height,
    maxLampUnit,
    (event) => isDrawing(event) && !('touches' in event && event.touches.length > 1),
  )
  return { ...zoom, maxLampUnit }
}

/** The plan moves once for each searched device; later state changes do not move it. */
export function useFlightToDevice(
  devices: MapDevice[],
  soughtId: string | undefined,
  { width, height }: PlanSize,
  flyTo: (x: number, y: number) => void,
) {
  const device = devices.find(({ id }) => id === soughtId)
  const deviceId = device?.id
  const findPosition = useMemoizedFn(() => device && { x: device.x * width, y: device.y * height })
  useEffect(() => {
    const position = deviceId === undefined ? undefined : findPosition()
    if (position) flyTo(position.x, position.y)
  }, [deviceId, findPosition, flyTo])
}
