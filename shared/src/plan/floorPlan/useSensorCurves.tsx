import useMemoizedFn from 'ahooks/es/useMemoizedFn'
import { useState } from 'react'
import type { MapDevice } from '../../contract/device/device.schema'
import { lazyPart } from '../../ui/lazyPart'

const Curves = lazyPart(() => import('../curves'))

/** A sensor under the pointer shows its curves beside it. */
export function useSensorCurves() {
  const [hoveredSensor, setHoveredSensor] = useState<{ device: MapDevice; at: DOMRect }>()
  return {
    /** The function is stable, so that unchanged sensors do not render. */
    handlePoint: useMemoizedFn((device?: MapDevice, rect?: DOMRect) =>
      setHoveredSensor(device && rect && { device, at: rect }),
    ),
    curves: hoveredSensor && (
      <Curves key={hoveredSensor.device.id} device={hoveredSensor.device} at={hoveredSensor.at} />
    ),
  }
}
