<map version="1.0.1">
<node ID="ID_1" TEXT="Harbour"><edge COLOR="#ff0000"/>
<node ID="ID_2" TEXT="Low water" LINK="https://example.org/tide"><font NAME="SansSerif" SIZE="12"/><attribute NAME="keeper" VALUE="She counts all boats"/></node>
<node ID="ID_3" TEXT="x = {oil}"><richcontent TYPE="NOTE"><html><head/><body><p>Of whales<br/>or rape</p></body></html></richcontent>
<node TEXT="Wick"/></node>
</node>
</map>
