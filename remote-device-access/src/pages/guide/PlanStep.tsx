import { useState } from 'react'
import Flex from 'antd/es/flex'
import Typography from 'antd/es/typography'
import { Link } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import type { ManagedDevice } from '@iot/shared/contract/device/managedDevice.schema'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import type { Space } from '@iot/shared/contract/project/project.schema'
import { planMimeTypes } from '@iot/shared/contract/project/space'
import { spaceApi } from '@iot/shared/contract/project/space.api'
import { uploadLimits } from '@iot/shared/contract/platform/upload'
import { paths } from '@iot/shared/screens/paths'
import { useCan } from '@iot/shared/session/can'
import { ignoreHandled } from '@iot/shared/ui/batch'
import { useFeedback } from '@iot/shared/ui/feedback'
import { ImageField } from '@iot/shared/ui/imageField'
import { useRefusalReason } from '@iot/shared/ui/right'
import { Select } from '@iot/shared/ui/select'
import { FloorDrawing } from '../device/FloorDrawing'
import { GuideStep } from './GuideStep'
import * as styles from './guide.module.css'
import type { Guide } from './useGuide'

const planFileLimits = { bytes: uploadLimits.bytes, types: planMimeTypes }
const isPlaced = ({ x, y }: ManagedDevice) => x !== null && y !== null

/** Places the devices on the drawing of a floor, one click each. */
export function PlanStep({ guide }: { guide: Guide }) {
  const { devices = [], spaces } = guide
  const floors = spaces.data?.filter(({ type }) => type === 'floor') ?? []
  const [floorId, setFloorId] = useState<string>()
  const floor = floors.find(({ id }) => id === floorId) ?? floors[0]
  const placedCount = devices.filter(isPlaced).length
  return (
    <GuideStep
      number={5}
      title="平面图"
      isDone={devices.length > 0 && placedCount === devices.length}
      summary={
        devices.length > 0
          ? `已摆放 ${placedCount} 台，共 ${devices.length} 台`
          : '在图上看到并控制设备'
      }
    >
      {devices.length > 0 && floor && (
        <>
          {floors.length > 1 && (
            <Select
              aria-label="楼层"
              style={{ width: 240 }}
              value={floor.id}
              onChange={setFloorId}
              options={floors.map(({ id, name }) => ({ value: id, label: name }))}
            />
          )}
          <FloorPlacement key={floor.id} guide={guide} floor={floor} devices={devices} />
          <Link to={paths.home()}>去首页看平面图</Link>
        </>
      )}
    </GuideStep>
  )
}

type FloorPlacementProps = { guide: Guide; floor: Space; devices: ManagedDevice[] }

function FloorPlacement({ guide, floor, devices }: FloorPlacementProps) {
  const { message } = useFeedback()
  const can = useCan()
  const canSetPlan = can(spaceApi.setPlan) && can(spaceApi.list)
  const placeRefusal = useRefusalReason()(managedDeviceApi.place)
  const nextDevice = devices.find(
    (device) => !isPlaced(device) && (!device.floorId || device.floorId === floor.id),
  )
  const placedDevices = devices.flatMap(({ id, name, floorId, x, y }) =>
    floorId === floor.id && x !== null && y !== null ? [{ id, name, x, y }] : [],
  )
  const place = (position: { x: number; y: number }) => {
    if (!nextDevice || placeRefusal) return
    const was = { x: null, y: null }
    const places = [{ id: nextDevice.id, ...position, was }]
    void call(managedDeviceApi.place, { floorId: floor.id, places }).then(([result]) => {
      if (!result?.ok) void message.error(`没有保存：${result?.reason}`)
      guide.refreshDevices()
    }, ignoreHandled)
  }
  const savePlan = async (picture: string) => {
    // The tree of the pickers has no versions, so the version is read right before the change.
    const rows = await call(spaceApi.list, { projectId: floor.projectId })
    const { version, metres, plan } = rows.find(({ id }) => id === floor.id)!
    if ((plan ?? null) !== (floor.plan ?? null)) {
      void message.error('平面图刚被别人换过，没有覆盖')
      return guide.spaces.refresh()
    }
    await call(spaceApi.setPlan, { id: floor.id, version, picture, metres })
    guide.spaces.refresh()
  }
  return (
    <Flex vertical gap={12} className={styles.plan}>
      <Flex gap={12} align="center" wrap>
        <Typography.Text>
          {placeRefusal ??
            (nextDevice ? `在图上单击“${nextDevice.name}”的位置` : '这一层的设备都已摆放')}
        </Typography.Text>
        {canSetPlan && (
          <>
            {floor.plan ? '换平面图：' : '还没有平面图，可先按比例摆放；上传 SVG、PNG 或 JPEG：'}
            <ImageField
              purpose="plan"
              value={floor.plan ?? ''}
              limits={planFileLimits}
              onChange={(url) => void savePlan(url).catch(ignoreHandled)}
            />
          </>
        )}
      </Flex>
      <FloorDrawing floor={floor} otherDevices={placedDevices} position={null} onPick={place} />
    </Flex>
  )
}
