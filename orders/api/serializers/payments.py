"""The payment collections of orders: fields as on carts, visibility by the order (orders/models/payments.py)."""

from kit.reads.declarations.fields import ResourceSerializerClass, ToMany, ToOne
from kit.reads.declarations.records import DeletableSerializer
from orders.models import OrderCapture, OrderPayment, OrderPaymentCollection, OrderPaymentSession, OrderRefund
from payments.api.serializers import PaymentCollectionSerializer
from payments.api.serializers.resources import (
    CaptureSerializer,
    PaymentSerializer,
    PaymentSessionSerializer,
    RefundSerializer,
)


def _collection() -> ResourceSerializerClass:
    return OrderPaymentCollectionSerializer


def _session() -> ResourceSerializerClass:
    return OrderPaymentSessionSerializer


def _payment() -> ResourceSerializerClass:
    return OrderPaymentSerializer


def _capture() -> ResourceSerializerClass:
    return OrderCaptureSerializer


def _refund() -> ResourceSerializerClass:
    return OrderRefundSerializer


class OrderRefundSerializer(RefundSerializer):
    """A refund of a payment of an order."""

    payment = ToOne(_payment, key="payment_id")

    class Meta:
        model = OrderRefund


class OrderCaptureSerializer(CaptureSerializer):
    """A capture of a payment of an order."""

    payment = ToOne(_payment, key="payment_id")

    class Meta:
        model = OrderCapture


class OrderPaymentSerializer(PaymentSerializer):
    """A payment of an order."""

    captures = ToMany(_capture, key="payment_id", inverse="payment")
    refunds = ToMany(_refund, key="payment_id", inverse="payment")
    payment_collection = ToOne(_collection, key="collection_id")
    payment_session = ToOne(_session, key="session_id")

    class Meta:
        model = OrderPayment


class OrderPaymentSessionSerializer(PaymentSessionSerializer):
    """An attempt to pay an order through one provider."""

    payment_collection = ToOne(_collection, key="collection_id")
    payment = ToOne(_payment, key="id", far="session_id", inverse="payment_session", allow_null=True)

    class Meta:
        model = OrderPaymentSession


class OrderPaymentCollectionSerializer(PaymentCollectionSerializer, DeletableSerializer):
    """The amount that was to be paid for an order, with its payments."""

    payment_sessions = ToMany(_session, key="collection_id", inverse="payment_collection")
    payments = ToMany(_payment, key="collection_id", inverse="payment_collection")

    class Meta:
        model = OrderPaymentCollection
