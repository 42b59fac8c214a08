<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" name="shared" tilewidth="16" tileheight="16" tilecount="2" columns="0">
 <tile id="0" type="grass"/>
 <tile id="1">
  <properties>
   <property name="terrain" value="sand"/>
   <property name="cost" type="float" value="0.5"/>
  </properties>
 </tile>
</tileset>
