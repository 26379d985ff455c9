
export{t as PetDrawing}from"./pet-drawing.js";