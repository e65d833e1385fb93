import { useRequest } from 'ahooks'
import { App, Empty, Flex, Form, InputNumber, Skeleton, Typography } from 'antd'
import { useState, type MouseEvent } from 'react'
import { call } from '@iot/shared/client/call'
import { deviceApi } from '@iot/shared/contract/device'
import { type ManagedDevice, managedDeviceApi } from '@iot/shared/contract/managedDevice'
import { rights } from '@iot/shared/contract/homeRights'
import { projectApi } from '@iot/shared/contract/project'
import { useCan } from '@iot/shared/session/can'
import { RightModal } from '@iot/shared/ui/rightModal'
import { FailedLine } from '@iot/shared/ui/usePage'
import * as styles from './position.module.css'

type At = { x: number; y: number }
type PositionDialogProps = {
  device: ManagedDevice & { floorId: string }
  onSaved: () => void
  onClose: () => void
}
const ways = [
  ['x', '离左边'],
  ['y', '离上边'],
] as const
const nowhere = { x: null, y: null }
const share = (value: number) => Math.max(0, Math.min(1, Math.round(value * 1e4) / 1e4))

/**
 * Sets a device's position on the floor plan by click or by coordinates; other devices of the floor are shown for
 * orientation.
 */
export default function PositionDialog({ device, onSaved, onClose }: PositionDialogProps) {
  const { id, name, floorId, projectId, x, y } = device
  const { message } = App.useApp()
  const [at, setAt] = useState<At | null>(x === null || y === null ? null : { x, y })
  const mayView = useCan()(rights.view)
  const quiet = { quiet: true }
  const spaces = useRequest(() => call(projectApi.spaces, { projectId }, quiet))
  const placed = useRequest(() => call(deviceApi.mapInfo, { projectId, floorId }, quiet), {
    ready: mayView,
  })
  const { run: save, loading } = useRequest(
    () =>
      call(managedDeviceApi.place, {
        floorId,
        places: [{ id, ...(at ?? nowhere), was: { x, y } }],
      }),
    {
      manual: true,
      onError: () => {},
      onSuccess([answer]) {
        onSaved()
        if (answer?.ok) onClose()
        else void message.error(`没有保存：${answer?.reason}`)
      },
    },
  )

  const floor = spaces.data?.find((one) => one.id === floorId)
  const width = floor?.planWidth ?? 1200
  const height = floor?.planHeight ?? 720
  const others = Object.values(placed.data?.map ?? {}).filter((one) => one.id !== id)
  const press = ({ currentTarget: plan, clientX, clientY }: MouseEvent<SVGSVGElement>) => {
    const point = new DOMPoint(clientX, clientY).matrixTransform(plan.getScreenCTM()!.inverse())
    setAt({ x: share(point.x / width), y: share(point.y / height) })
  }

  return (
    <RightModal
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
        {[spaces, placed].map(
          ({ error, data, refresh }, n) =>
            error && <FailedLine key={n} why={error.message} hasRows={!!data} onRetry={refresh} />,
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
            <svg
              className={styles.plan}
              viewBox={`0 0 ${width} ${height}`}
              role="img"
              aria-label={`${floor.name}平面图，${at ? '已' : '未'}摆放`}
              onClick={press}
            >
              {floor.plan && <image href={floor.plan} width={width} height={height} />}
              {others.map((one) => (
                <circle
                  key={one.id}
                  className={styles.other}
                  cx={one.x * width}
                  cy={one.y * height}
                  r={width / 150}
                >
                  <title>{one.name}</title>
                </circle>
              ))}
              {at && (
                <circle
                  className={styles.own}
                  cx={at.x * width}
                  cy={at.y * height}
                  r={width / 80}
                  strokeWidth={width / 300}
                />
              )}
            </svg>
            <Form layout="inline" className={styles.numbers}>
              {ways.map(([way, label]) => (
                <Form.Item key={way} label={label} htmlFor={`position-${way}`}>
                  <InputNumber<number>
                    id={`position-${way}`}
                    min={0}
                    max={100}
                    precision={1}
                    suffix="%"
                    style={{ width: 110 }}
                    value={at && at[way] * 100}
                    onChange={(value) =>
                      setAt(
                        value === null
                          ? null
                          : { x: 0.5, y: 0.5, ...at, [way]: share(value / 100) },
                      )
                    }
                  />
                </Form.Item>
              ))}
              {at && <Typography.Link onClick={() => setAt(null)}>从图上取下</Typography.Link>}
            </Form>
          </>
        )}
      </Flex>
    </RightModal>
  )
}
