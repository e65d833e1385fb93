import { useRequest } from 'ahooks'
import { Button, Drawer, Empty, Flex, Form, InputNumber, Skeleton, Typography } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { deviceApi } from '@iot/shared/contract/device'
import { rights } from '@iot/shared/contract/homeRights'
import { managedDeviceApi } from '@iot/shared/contract/managedDevice'
import { type ManagedSpace, planTypes, spaceApi } from '@iot/shared/contract/space'
import { uploadLimits } from '@iot/shared/contract/upload'
import { paths } from '@iot/shared/screens/paths'
import { useCan } from '@iot/shared/session/can'
import { ImageField } from '@iot/shared/ui/imageField'
import { Right, useRefusal } from '@iot/shared/ui/right'
import { quietly } from '@iot/shared/ui/batch'
import { FailedLine } from '@iot/shared/ui/usePage'
import * as styles from './project.module.css'

const limits = { bytes: uploadLimits.bytes, types: planTypes }
type FloorPlanProps = { floor: ManagedSpace; onSaved: () => void; onClose: () => void }

/** Edits the image and the real width of a floor plan, and shows its devices at their positions. */
export default function FloorPlan({ floor, onSaved, onClose }: FloorPlanProps) {
  const why = useRefusal()(spaceApi.setPlan)
  const mayView = useCan()(rights.view)
  const navigate = useNavigate()
  const { id, projectId, version, name, plan } = floor
  const [metres, setMetres] = useState(floor.metres)
  const devices = useRequest(
    () => call(deviceApi.mapInfo, { projectId, floorId: id }, { inline: true }),
    { ready: mayView, refreshDeps: [id] },
  )
  const placed = Object.values(devices.data?.map ?? {})
  const save = (picture: string | undefined, width = metres) =>
    void call(spaceApi.setPlan, { id, version, picture, metres: width }).then(onSaved, quietly)

  const width = floor.planWidth ?? 1200
  const height = floor.planHeight ?? 720
  const bar = floor.metres ? (width / floor.metres) * barMetres(floor.metres) : 0

  return (
    <Drawer
      open
      size={900}
      title={`${name}平面图`}
      extra={
        <Right to={managedDeviceApi.onFloor}>
          <Button onClick={() => void navigate(paths.home({ placing: id }))}>摆放设备</Button>
        </Right>
      }
      onClose={onClose}
      mask={{ closable: true }}
    >
      <Flex vertical gap={16}>
        {why ? (
          <Typography.Text type="secondary">{why}</Typography.Text>
        ) : (
          <Form layout="vertical" className={styles.planFields}>
            <Form.Item label="平面图" extra="SVG、PNG 或 JPEG；CAD 图纸（DXF）请先导出为 SVG">
              <ImageField
                purpose="plan"
                isSavedAtOnce
                value={plan ?? ''}
                limits={limits}
                onChange={(url) => save(url)}
              />
            </Form.Item>
            <Form.Item label="图宽" extra="图的左边到右边在楼里有多少米">
              <InputNumber<number>
                aria-label="图宽（米）"
                min={1}
                max={10_000}
                suffix="米"
                style={{ width: 140 }}
                value={metres}
                onChange={setMetres}
                onBlur={() => metres !== floor.metres && save(undefined)}
                onPressEnter={({ target }) => (target as HTMLElement).blur()}
              />
            </Form.Item>
          </Form>
        )}
        {devices.error && (
          <FailedLine
            why={devices.error.message}
            hasRows={!!devices.data}
            onRetry={devices.refresh}
          />
        )}
        {mayView && !devices.data && devices.loading ? (
          <Skeleton active title={false} paragraph={{ rows: 8 }} />
        ) : plan || placed.length > 0 ? (
          <svg
            className={styles.plan}
            viewBox={`0 0 ${width} ${height}`}
            role="img"
            aria-label={`${name}平面图，${placed.length} 台设备`}
          >
            {plan && <image href={plan} width={width} height={height} />}
            {placed.map((device) => (
              <circle
                key={device.id}
                cx={device.x * width}
                cy={device.y * height}
                r={width / 150}
                fill={device.state === 'online' ? '#1677ff' : '#8c8c8c'}
              >
                <title>{device.name}</title>
              </circle>
            ))}
            {bar > 0 && (
              <g stroke="#262626" strokeWidth={width / 600} fill="none">
                <path
                  d={`M ${width * 0.02} ${height * 0.96} v ${height * 0.01} h ${bar} v ${-height * 0.01}`}
                />
                <text
                  x={width * 0.02 + bar + width / 100}
                  y={height * 0.97}
                  fontSize={width / 55}
                  fill="#262626"
                  stroke="none"
                >
                  {barMetres(floor.metres!)} m
                </text>
              </g>
            )}
          </svg>
        ) : (
          <Empty
            image={Empty.PRESENTED_IMAGE_SIMPLE}
            description={`${name}还没有平面图，上传后设备可以摆在图上`}
          />
        )}
        {mayView && (
          <Typography.Text type="secondary">
            图上 {placed.length}{' '}
            台设备，蓝色在线，灰色不在线。位置按图的比例记录，换图后设备还在原来的相对位置。
          </Typography.Text>
        )}
      </Flex>
    </Drawer>
  )
}

/** Returns a round length in metres for the scale bar, about a tenth of the plan's width. */
const barMetres = (metres: number) =>
  [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].findLast((one) => one <= Math.max(1, metres / 8)) ?? 1
