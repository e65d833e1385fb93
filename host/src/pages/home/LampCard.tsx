import { CloseOutlined } from '@ant-design/icons'
import { useRequest } from 'ahooks'
import { Alert, Button, Descriptions, Flex, Skeleton, Slider, Switch, Tag } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { call } from '@iot/shared/client/call'
import { ledgerStateText, type LedgerState } from '@iot/shared/contract/control'
import { deviceApi, type MapDevice } from '@iot/shared/contract/device'
import { rights } from '@iot/shared/contract/homeRights'
import { lastLookOf, lookOf } from '@iot/shared/contract/light'
import { deviceStateText } from '@iot/shared/contract/managedDevice'
import { Dot } from '@iot/shared/plan/dot'
import { isWaiting, lastWords, lookText, timeText, waitingText } from '@iot/shared/plan/lights'
import { TypeIcon } from '@iot/shared/plan/typeIcon'
import { useTypeLooks, variantOf } from '@iot/shared/plan/typeLooks'
import { useNow } from '@iot/shared/plan/useBuilding'
import { useAskProtected } from '@iot/shared/control/useSwitch'
import type { Tasks } from '@iot/shared/control/useTasks'
import { Right } from '@iot/shared/ui/right'
import { useFlash } from './flash'
import * as styles from './lampCard.module.css'

type LampCardProps = {
  light: MapDevice
  place: string
  projectId: number
  tasks: Tasks
  fault?: string
  busy: boolean
  onSwitch: (light: MapDevice) => void
  onClose: () => void
}

const toTheSecond = {
  ...({ month: '2-digit', day: '2-digit' } as const),
  ...({ hour: '2-digit', minute: '2-digit', second: '2-digit' } as const),
}

/** Shows one lamp: its state, its controls and the last request made to it. */
export default function LampCard({
  light: known,
  place,
  projectId,
  tasks,
  fault,
  busy,
  onSwitch,
  onClose,
}: LampCardProps) {
  const light = useNow(known)
  const look = lookOf(light)
  const waiting = isWaiting(light)
  const typeLook = useTypeLooks().get(light.productType)
  const box = useRef<HTMLElement>(null)
  // The card reads again after every task, because any task may have changed this lamp.
  const [newest] = tasks.tasks
  const { data, error, refresh } = useRequest(
    () => call(deviceApi.card, { id: light.id }, { quiet: true }),
    { refreshDeps: [light.id, newest?.id, newest?.doneTime], throttleWait: 300 },
  )
  useEffect(() => box.current?.focus(), [light.id])

  const askProtected = useAskProtected()
  const set = (identifier: string, value: number) =>
    askProtected(light, '调节', () =>
      tasks.start(
        {
          kind: 'set',
          projectId,
          scope: { kind: 'devices', deviceIds: [light.id] },
          values: { [identifier]: value },
        },
        { kind: 'single', name: light.name },
      ),
    )

  const { flash, isFlashing } = useFlash()
  const refusal =
    light.state !== 'online' ? `${light.name}离线，不能控制` : busy && '编辑模式下不下发命令'
  const power = light.reported.ActivePower
  const last = data?.last

  return (
    <section
      ref={box}
      className={styles.card}
      aria-label={`${light.name}的详情`}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        // The event stops here, so that the selection on the floor plan stays.
        event.stopPropagation()
        onClose()
      }}
    >
      <Flex justify="space-between" align="start" gap={8}>
        <div>
          <strong className={styles.name}>
            <TypeIcon look={typeLook} variant={variantOf(look, !!fault)} />
            {light.name}
          </strong>
          <div className={styles.place}>{place}</div>
        </div>
        <Button
          size="small"
          type="text"
          icon={<CloseOutlined />}
          aria-label="关闭"
          onClick={onClose}
        />
      </Flex>
      <Flex justify="space-between" align="center" className={styles.row}>
        <span>
          <Dot look={look === 'unknown' ? 'stale' : look} />{' '}
          {[lookText[look], look === 'unknown' && lastWords(light)].filter(Boolean).join('，')}
          {waiting && <Tag className={styles.tag}>{waitingText(light)}</Tag>}
          {light.protected && <Tag className={styles.tag}>受保护</Tag>}
        </span>
        <Right to={rights.control} unless={refusal}>
          <Switch
            aria-label="开关"
            checked={lastLookOf(light) === 'on'}
            loading={waiting}
            onChange={() => onSwitch(light)}
          />
        </Right>
      </Flex>
      {fault && <Alert type="error" showIcon title={fault} />}
      {refusal && light.state !== 'online' && <Alert type="warning" title={refusal} />}
      {data?.adjustable.map((one) => (
        <Adjust
          key={one.identifier}
          {...one}
          value={light.reported[one.identifier]}
          wanted={light.desired[one.identifier]}
          refusal={refusal}
          onSet={(value) => set(one.identifier, value)}
        />
      ))}
      {error ? (
        <Alert
          type="warning"
          title={error.message}
          action={
            <Button size="small" onClick={refresh}>
              重试
            </Button>
          }
        />
      ) : !data ? (
        <Skeleton active title={false} paragraph={{ rows: 3 }} />
      ) : (
        <Descriptions
          size="small"
          column={1}
          items={[
            {
              label: '功率',
              children:
                power !== undefined
                  ? `${power} ${data.powerUnit}`
                  : data.ratedPower !== null
                    ? `额定 ${data.ratedPower} W（没有计量）`
                    : '未知',
            },
            {
              label: '最近上报',
              children: light.reportedTime ? timeText(light.reportedTime, toTheSecond) : '从未上报',
            },
            {
              label: '最近命令',
              children: last ? (
                <span>
                  {timeText(last.time, toTheSecond)} {last.createBy}：{last.title}，
                  {ledgerStateText[last.state as LedgerState]}
                  {last.reason && `（${last.reason}）`}
                </span>
              ) : (
                '没有'
              ),
            },
            { label: '产品', children: data.productName },
            ...(data.gateway
              ? [
                  {
                    label: '网关',
                    children: `${data.gateway.name}（${deviceStateText[data.gateway.state]}）`,
                  },
                ]
              : []),
          ]}
        />
      )}
      <Right to={rights.control} unless={refusal || (waiting && '正在等待设备确认')}>
        <Button
          block
          loading={isFlashing}
          title={data?.canIdentify ? '请灯自己闪几下' : '开关一次再恢复，两次都等设备确认'}
          onClick={() => {
            const how = data?.canIdentify ? 'service' : 'switch'
            flash({ ...light, projectId }, how, () => look === 'on')
          }}
        >
          闪灯定位
        </Button>
      </Right>
    </section>
  )
}

type AdjustProps = {
  name: string
  min: number
  max: number
  step: number
  unit: string
  value?: number | string
  wanted?: number | string
  refusal?: string | false
  onSet: (value: number) => void
}

/** Sends the value when the slider is released; afterwards it shows the value that the lamp reports. */
function Adjust({ name, min, max, step, unit, value, wanted, refusal, onSet }: AdjustProps) {
  const [dragged, setDragged] = useState<number>()
  const said = value === undefined ? '未上报' : `${value}${unit}`
  return (
    <div>
      <Flex justify="space-between">
        <span>{name}</span>
        <span className={styles.value}>
          {dragged !== undefined
            ? `${dragged}${unit}`
            : wanted !== undefined
              ? `${said} → ${wanted}${unit}`
              : said}
        </span>
      </Flex>
      <Right to={rights.control} unless={refusal}>
        <Slider
          {...{ min, max, step }}
          ariaLabelForHandle={name}
          tooltip={{ open: false }}
          value={dragged ?? Number(value ?? min)}
          onChange={setDragged}
          onChangeComplete={(next) => {
            setDragged(undefined)
            onSet(next)
          }}
        />
      </Right>
    </div>
  )
}
