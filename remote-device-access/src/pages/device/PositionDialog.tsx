import useRequest from 'ahooks/es/useRequest'
import Empty from 'antd/es/empty'
import Flex from 'antd/es/flex'
import Form from 'antd/es/form'
// The limits of the input keep the device on the plan, where the person sees at once to which place it went.
// eslint-disable-next-line no-restricted-imports
import InputNumber from 'antd/es/input-number'
import Skeleton from 'antd/es/skeleton'
import Typography from 'antd/es/typography'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { deviceApi } from '@iot/shared/contract/device/device.api'
import type { ManagedDevice } from '@iot/shared/contract/device/managedDevice.schema'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import { projectApi } from '@iot/shared/contract/project/project.api'
import { useCan } from '@iot/shared/session/can'
import { useFeedback } from '@iot/shared/ui/feedback'
import { PermissionModal } from '@iot/shared/ui/rightModal'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { FloorDrawing, toFraction, type PlanPoint } from './FloorDrawing'
import * as styles from './position.module.css'

type PositionDialogProps = {
  device: ManagedDevice & { floorId: string }
  onSaved: () => void
  onClose: () => void
}
const axes = [
  ['x', '离左边'],
  ['y', '离上边'],
] as const
const noPosition = { x: null, y: null }

/**
 * Sets a device's position on the floor plan by click or by coordinates; other devices of the floor are shown for
 * orientation.
 */
export default function PositionDialog({ device, onSaved, onClose }: PositionDialogProps) {
  const { id, name, floorId, projectId, x, y } = device
  const { message } = useFeedback()
  const [position, setPosition] = useState<PlanPoint | null>(
    x === null || y === null ? null : { x, y },
  )
  const canViewDevices = useCan()(devicePermissions.view)
  const quietOption = { quiet: true }
  const spaces = useRequest(() => call(projectApi.spaces, { projectId }, quietOption))
  const placedDevices = useRequest(
    () => call(deviceApi.mapInfo, { projectId, floorId }, quietOption),
    {
      ready: canViewDevices,
    },
  )
  const { run: save, loading } = useRequest(
    () =>
      call(managedDeviceApi.place, {
        floorId,
        places: [{ id, ...(position ?? noPosition), was: { x, y } }],
      }),
    {
      manual: true,
      onError: () => {},
      onSuccess([placeResult]) {
        onSaved()
        if (placeResult?.ok) onClose()
        else void message.error(`没有保存：${placeResult?.reason}`)
      },
    },
  )

  const floor = spaces.data?.find((space) => space.id === floorId)
  const otherDevices = Object.values(placedDevices.data?.map ?? {}).filter(
    (otherDevice) => otherDevice.id !== id,
  )

  return (
    <PermissionModal
      open
      to={managedDeviceApi.place}
      width={900}
      title={`摆放“${name}”`}
      okText="保存"
      okButtonProps={{ disabled: !floor }}
      confirmLoading={loading}
      onOk={save}
      onCancel={onClose}
    >
      <Flex vertical gap={12}>
        {[spaces, placedDevices].map(
          ({ error, data, refresh }, requestIndex) =>
            error && (
              <LoadErrorAlert
                key={requestIndex}
                why={error.message}
                hasRows={!!data}
                onRetry={refresh}
              />
            ),
        )}
        {spaces.data && !floor && (
          <Empty
            image={Empty.PRESENTED_IMAGE_SIMPLE}
            description="它的楼层已被删除，请重新选择位置"
          />
        )}
        {!spaces.data && !spaces.error && <Skeleton active title={false} paragraph={{ rows: 8 }} />}
        {floor && (
          <>
            <Typography.Text type="secondary">
              {floor.plan
                ? '在平面图上点它的位置'
                : `${floor.name}还没有平面图，可先按比例摆放，以后在“项目管理”里上传`}
              ；灰点是这一层的其他设备。
            </Typography.Text>
            <FloorDrawing
              floor={floor}
              otherDevices={otherDevices}
              position={position}
              onPick={setPosition}
            />
            <PositionInputs position={position} onChange={setPosition} />
          </>
        )}
      </Flex>
    </PermissionModal>
  )
}

type PositionInputsProps = {
  position: PlanPoint | null
  onChange: (position: PlanPoint | null) => void
}

const PositionInputs = ({ position, onChange }: PositionInputsProps) => (
  <Form layout="inline" className={styles.numbers}>
    {axes.map(([axis, label]) => (
      <Form.Item key={axis} label={label} htmlFor={`position-${axis}`}>
        <InputNumber<number>
          id={`position-${axis}`}
          min={0}
          max={100}
          precision={1}
          suffix="%"
          style={{ width: 110 }}
          value={position && position[axis] * 100}
          onChange={(value) =>
            onChange(
              value === null
                ? null
                : { x: 0.5, y: 0.5, ...position, [axis]: toFraction(value / 100) },
            )
          }
        />
      </Form.Item>
    ))}
    {position && <Typography.Link onClick={() => onChange(null)}>从图上取下</Typography.Link>}
  </Form>
)
