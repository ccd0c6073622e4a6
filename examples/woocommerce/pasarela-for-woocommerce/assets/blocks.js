// The block checkout, without a build step: what the blocks bring is in window.wc and window.wp.
(() => {
  const { createElement: el, useEffect, useState } = window.wp.element;
  const { decodeEntities } = window.wp.htmlEntities;
  const data = window.wc.wcSettings.getSetting("pasarela_data", {});
  const title = decodeEntities(data.title || "Pasarela");

  const Description = () => el("p", null, decodeEntities(data.description || ""));

  const Document = ({ eventRegistration, emitResponse }) => {
    const [type, setType] = useState("CC");
    const [number, setNumber] = useState("");
    useEffect(
      () =>
        eventRegistration.onPaymentSetup(() =>
          number.trim() === ""
            ? { type: emitResponse.responseTypes.ERROR, message: data.texts.missing }
            : {
                type: emitResponse.responseTypes.SUCCESS,
                meta: { paymentMethodData: { pasarela_doc_type: type, pasarela_doc_number: number.trim() } },
              },
        ),
      [eventRegistration.onPaymentSetup, emitResponse.responseTypes, type, number],
    );
    const options = Object.entries(data.types).map(([value, label]) => el("option", { key: value, value }, label));
    return el(
      "div",
      null,
      el(Description),
      el("p", null, el("label", { htmlFor: "pasarela-doc-type" }, data.texts.type), " ",
        el("select", { id: "pasarela-doc-type", value: type, onChange: (event) => setType(event.target.value) }, options)),
      el("p", null, el("label", { htmlFor: "pasarela-doc-number" }, data.texts.number), " ",
        el("input", { id: "pasarela-doc-number", type: "text", maxLength: 20, required: true, value: number, onChange: (event) => setNumber(event.target.value) })),
    );
  };

  window.wc.wcBlocksRegistry.registerPaymentMethod({
    name: "pasarela",
    label: el("span", null, title),
    ariaLabel: title,
    content: el(data.documents ? Document : Description),
    edit: el(Description),
    canMakePayment: () => true, // the server decides: currency, total, keys
    supports: { features: data.supports || ["products"] },
  });
})();
