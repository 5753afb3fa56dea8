/** Chinese texts of the practice panel. */
import type { Texts } from '../en.ts'

export const practice: Texts['practice'] = {
  title: '练习',
  text: '让一个账号出故障，看下一次调用转到别处；调用记录会说明原因。',
  source: '来源',
  fault: (name) => `${name} 的故障`,
  faults: {
    none: '正常',
    exhaust: '额度用完',
    overload: '过载（529）',
    cut: '回答中断',
    revoke: '登录被吊销',
    slow: '缓慢',
  },
  hints: {
    none: '正常回答。',
    exhaust: '短窗口已用完，几分钟后重置。',
    overload: '厂商主机要求稍后再来。',
    cut: '回答在中途断开。',
    revoke: '厂商已终止登录，需要重新登录。',
    slow: '回答断断续续。',
  },
  set: (name, fault) => `${name}：${fault}。`,
}
