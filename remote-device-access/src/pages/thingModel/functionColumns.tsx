import HolderOutlined from '@ant-design/icons/HolderOutlined'
import Tag from 'antd/es/tag'
import type { TableColumnsType } from 'antd'
import { findWidget } from '@iot/shared/contract/product/controlType'
import { deprecatedText } from '@iot/shared/contract/thingModel/deprecation'
import type { ThingFunction } from '@iot/shared/contract/thingModel/modelDifference'
import {
  accessText,
  callText,
  eventText,
  kindText,
  describeParams,
  describeType,
} from '@iot/shared/contract/thingModel/thingText'
import { ignoreHandled } from '@iot/shared/ui/batch'
import { ControlPreview } from './ControlPreview'
import { FunctionActions } from './FunctionActions'
import type { ModelEditing } from './modelEditing'
import { copyFunction } from './modelOperations'
import * as styles from './thingModel.module.css'
import type { ModelChanges } from './useModelChanges'

const describeAccess = (thingFunction: ThingFunction) =>
  thingFunction.kind === 'properties'
    ? accessText[thingFunction.accessMode]
    : thingFunction.kind === 'services'
      ? callText[thingFunction.callType]
      : eventText[thingFunction.type]
/** Describes the content of a function; a service has one line for input and one for output. */
function describeContent(thingFunction: ThingFunction) {
  if (thingFunction.kind === 'properties') return describeType(thingFunction.dataType)
  if (thingFunction.kind === 'events') return describeParams(thingFunction.outputData) || '—'
  const paramTexts = {
    输入: describeParams(thingFunction.inputData),
    输出: describeParams(thingFunction.outputData),
  }
  const filledParamTexts = Object.entries(paramTexts).filter(([, paramText]) => paramText)
  return filledParamTexts.length === 0
    ? '—'
    : filledParamTexts.map(([directionLabel, paramText]) => (
        <div key={directionLabel}>{`${directionLabel}：${paramText}`}</div>
      ))
}

/** The function whose form is open. */
export type OpenFunction = { given?: ThingFunction; isNew: boolean }
type FunctionColumnsOptions = {
  editing: ModelEditing
  changes: ModelChanges
  canDrag: boolean
  onOpen: (openFunction: OpenFunction) => void
}

export const createFunctionColumns = ({
  editing: { carrier, refusal, locked, controls, confirmDeprecation },
  changes,
  canDrag,
  onOpen,
}: FunctionColumnsOptions): TableColumnsType<ThingFunction> => [
  {
    key: 'handle',
    width: 32,
    render: () => canDrag && <HolderOutlined className={styles.handle} aria-hidden />,
  },
  {
    key: 'kind',
    title: '类型',
    width: 64,
    render: (_, thingFunction) => kindText[thingFunction.kind],
  },
  {
    key: 'name',
    title: '功能',
    width: 220,
    render: (_, thingFunction) => (
      <>
        {thingFunction.name} {thingFunction.isDeprecated && <Tag>{deprecatedText}</Tag>}
        <br />
        <code className={styles.code}>{thingFunction.identifier}</code>
      </>
    ),
  },
  {
    key: 'content',
    title: '数据类型或参数',
    render: (_, thingFunction) => describeContent(thingFunction),
  },
  {
    key: 'access',
    title: '读写',
    width: 72,
    render: (_, thingFunction) => describeAccess(thingFunction),
  },
  {
    key: 'required',
    title: '必选',
    width: 60,
    render: (_, { required }) => (required ? '必选' : '—'),
  },
  {
    key: 'control',
    title: '控件预览',
    width: 190,
    render: (_, thingFunction) =>
      thingFunction.kind === 'properties' ? (
        <ControlPreview {...thingFunction} widget={findWidget(thingFunction, controls ?? [])} />
      ) : (
        '—'
      ),
  },
  {
    key: 'actions',
    title: '操作',
    width: 94,
    fixed: 'right',
    render: (_, thingFunction) => (
      <FunctionActions
        rowFunction={thingFunction}
        refusal={refusal}
        isLocked={locked.has(thingFunction.identifier)}
        siblings={carrier.model[thingFunction.kind]}
        onEdit={() => onOpen({ given: thingFunction, isNew: false })}
        onCopy={() => onOpen({ given: copyFunction(carrier.model, thingFunction), isNew: true })}
        onStep={(targetIdentifier, isBelow) =>
          changes.move(thingFunction, targetIdentifier, isBelow)
        }
        onDeprecate={confirmDeprecation && (() => confirmDeprecation(thingFunction))}
        onRestore={() => changes.restore(thingFunction).catch(ignoreHandled)}
        onRemove={() =>
          changes.confirmRemove([thingFunction.identifier], `“${thingFunction.name}”`)
        }
      />
    ),
  },
]
